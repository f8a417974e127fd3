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
export const isProjectName = (name: string) => !name.startsWith(".") && !generatedFolders.has(name);

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
