import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../../src/error.ts";
import type { TreeFile } from "./git.ts";

/** The build, in order of name. An artifact loses file modes, so the first line says which files are programs. */
export function readDist(folder: string): TreeFile[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, "/").length))
    .toSorted();
  return names.map((name) => {
    const content = readFileSync(join(folder, name));
    const mode = content.subarray(0, 2).toString() === "#!" ? "100755" : "100644";
    return { path: `dist/${name}`, mode, content };
  });
}

/** As `sha256sum` prints it. */
export function renderChecksums(files: readonly TreeFile[]): string {
  const line = ({ path, content }: TreeFile) =>
    `${createHash("sha256").update(content).digest("hex")}  ${path}\n`;
  return files.map(line).join("");
}

/** Refuses a build that is not the one whose checksums the building job told. */
export function requireChecksums(files: readonly TreeFile[], told: string): void {
  if (files.length > 0 && renderChecksums(files).trim() === told.trim()) return;
  throw new RalphError("config", {
    message: "The files of dist are not the ones that were built.",
    remedy: "Start the release again; if this repeats, find out who changed the artifact.",
  });
}
