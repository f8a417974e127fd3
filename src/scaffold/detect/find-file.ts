import type { ReadFiles } from "../../platform/system.ts";
import { listNames } from "./read-optional.ts";

const maxFolders = 1000;

/** Folders that tools generate. */
const generatedFolders = new Set([
  "node_modules",
  "dist",
  "build",
  "out",
  "target",
  "coverage",
  "venv",
  "vendor",
  "__pycache__",
]);

/** Neither hidden nor generated. */
const isProjectName = (name: string) => !name.startsWith(".") && !generatedFolders.has(name);

/** The first file below `folder` whose path matches, upper folders first. Reads at most 1000 folders. */
export async function findFile(
  files: ReadFiles,
  folder: string,
  pattern: RegExp,
): Promise<string | undefined> {
  const open = [""];
  for (let seen = 0; seen < maxFolders; seen += 1) {
    const current = open.shift();
    if (current === undefined) return undefined;
    const { plain, folders } = await listEntries(files, { folder, current });
    const found = plain.find((path) => pattern.test(path));
    if (found !== undefined) return found;
    open.push(...folders);
  }
  return undefined;
}

async function listEntries(
  files: ReadFiles,
  { folder, current }: { folder: string; current: string },
) {
  const names = (await listNames(files, join(folder, current))).filter(isProjectName);
  const entries = await Promise.all(
    names.map(async (name) => {
      const path = join(current, name);
      return { path, kind: (await files.stat(join(folder, path)))?.kind };
    }),
  );
  const pathsOf = (kind: string) =>
    entries.filter((entry) => entry.kind === kind).map(({ path }) => path);
  return { plain: pathsOf("file"), folders: pathsOf("folder") };
}

const join = (...parts: string[]) => parts.filter(Boolean).join("/");

const maxEntries = 40;
const maxInside = 12;

/** An overview of the project: two levels of folders, then the files of the root. */
export async function readLayout(files: ReadFiles): Promise<string[]> {
  const names = (await listNames(files, "")).filter(isShown);
  const entries = await Promise.all(
    names.map(async (name) => ({ name, kind: (await files.stat(name))?.kind })),
  );
  const folders = entries.filter(({ kind }) => kind === "folder");
  const lines = await Promise.all(
    folders.map(async ({ name }) => [`${name}/`, ...(await insideOf(files, name))]),
  );
  const rest = entries.flatMap(({ name, kind }) => (kind === "file" ? name : []));
  return bounded([...lines.flat(), ...rest], maxEntries, "");
}

async function insideOf(files: ReadFiles, folder: string): Promise<string[]> {
  const names = (await listNames(files, folder)).filter(isShown);
  const kinds = await Promise.all(
    names.map(async (name) => (await files.stat(`${folder}/${name}`))?.kind),
  );
  const folders = names.filter((_, index) => kinds[index] === "folder");
  return bounded(
    folders.map((name) => `  ${name}/`),
    maxInside,
    "  ",
  );
}

/** Leaves out ralph's own files, and names that would break a line or a code block. */
const isShown = (name: string) =>
  isProjectName(name) && !/^AGENTS\.md$|\.bak\d*$|[`\p{Cc}]/u.test(name);

function bounded(lines: readonly string[], max: number, indent: string): string[] {
  const left = lines.length - max;
  return left > 0 ? [...lines.slice(0, max), `${indent}... and ${left} more`] : [...lines];
}
