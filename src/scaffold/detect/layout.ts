import type { ReadFiles } from "../../platform/system.ts";
import { isProjectName } from "./find-file.ts";
import { listNames } from "./read-optional.ts";

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
