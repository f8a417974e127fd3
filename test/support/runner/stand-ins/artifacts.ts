import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { StandIn } from "../model.ts";

/** Keeps files as an artifact does: without hidden ones, without modes, and never twice under one name. */
export const uploadArtifact: StandIn = ({ with: given, place, host, log }) => {
  const name = given.name || "artifact";
  if (/[":<>|*?\r\n\\/]/.test(name)) throw new Error(`The artifact name is not valid: ${name}.`);
  const isHiddenToo = given["include-hidden-files"] === "true";
  const { root, files } = findFiles(given.path ?? "", place.workspace);
  const wanted = files.filter((path) => isHiddenToo || !/(?:^|\/)\./.test(relative(root, path)));
  if (wanted.length === 0) {
    const message = `No files were found with the provided path: ${given.path}.`;
    if (given["if-no-files-found"] === "error") throw new Error(message);
    if (given["if-no-files-found"] !== "ignore") log(`##[warning]${message}`);
    return {};
  }
  const folder = join(host.artifacts, name);
  if (existsSync(folder)) {
    if (given.overwrite !== "true") throw new Error("Conflict: an artifact of this name exists.");
    rmSync(folder, { recursive: true });
  }
  const hash = createHash("sha256");
  for (const path of wanted) {
    const target = join(folder, relative(root, path));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(path, target);
    chmodSync(target, 0o644);
    hash.update(`${relative(root, path)}\0`).update(readFileSync(path));
  }
  const id = String(readdirSync(host.artifacts).length);
  return { "artifact-id": id, "artifact-digest": hash.digest("hex") };
};

/** Paths are relative to the folder that is common to all that was named. */
function findFiles(patterns: string, cwd: string): { root: string; files: string[] } {
  const lines = patterns.split("\n").map((line) => line.trim());
  const named = lines
    .filter((line) => line !== "" && !line.startsWith("!"))
    .flatMap((line) => globSync(resolve(cwd, line)));
  const excluded = lines
    .filter((line) => line.startsWith("!"))
    .flatMap((line) => globSync(resolve(cwd, line.slice(1))).flatMap(filesBelow));
  const files = named.flatMap(filesBelow).filter((path) => !excluded.includes(path));
  const folders = named.map((path) => (statSync(path).isDirectory() ? path : dirname(path)));
  return {
    root: folders.reduce(commonFolder, folders[0] ?? cwd),
    files: [...new Set(files)].sort(),
  };
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { recursive: true, encoding: "utf8" });
  return entries.map((name) => join(path, name)).filter((entry) => statSync(entry).isFile());
}

function commonFolder(one: string, other: string): string {
  if (other === one || other.startsWith(`${one}/`)) return one;
  return one === "/" ? one : commonFolder(dirname(one), other);
}

/** Puts one artifact, or each one that matches `pattern`, into a folder of the workspace. */
export const downloadArtifact: StandIn = ({ with: given, place, host }) => {
  const target = resolve(place.workspace, given.path ?? "");
  if (given.name) {
    const from = join(host.artifacts, given.name);
    if (!existsSync(from)) throw new Error(`Artifact not found for name: ${given.name}`);
    copyFolder(from, target);
    return { "download-path": target };
  }
  for (const name of globSync(given.pattern || "*", { cwd: host.artifacts })) {
    const isMerged = given["merge-multiple"] === "true";
    copyFolder(join(host.artifacts, name), isMerged ? target : join(target, name));
  }
  return { "download-path": target };
};

function copyFolder(from: string, to: string): void {
  for (const path of filesBelow(from)) {
    const target = join(to, relative(from, path));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(path, target);
  }
}
