import type { ReadFiles } from "../../platform/system.ts";
import { listNames } from "./list-names.ts";

const maxFolders = 1000;

/** Folders that tools make: nothing in them is the project's own work. */
const made = new Set([
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

/** Neither hidden nor made by a tool. */
export const isOwn = (name: string) => !name.startsWith(".") && !made.has(name);

/** The first file whose path below `folder` matches, upper folders first. Of a very large project not all is seen. */
export async function findFile(
  files: ReadFiles,
  folder: string,
  pattern: RegExp,
): Promise<string | undefined> {
  const open = [""];
  for (let seen = 0; seen < maxFolders; seen += 1) {
    const current = open.shift();
    if (current === undefined) return undefined;
    const { plain, folders } = await look(files, { folder, current });
    const found = plain.find((path) => pattern.test(path));
    if (found !== undefined) return found;
    open.push(...folders);
  }
  return undefined;
}

type Spot = { folder: string; current: string };

async function look(files: ReadFiles, { folder, current }: Spot) {
  const names = (await listNames(files, join(folder, current))).filter(isOwn);
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
