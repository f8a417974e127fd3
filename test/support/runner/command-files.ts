import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Texts } from "./model.ts";

const names = ["output", "env", "path", "step_summary", "state"] as const;
export type CommandFiles = Record<(typeof names)[number], string>;

/** The empty files a step may write into, in a folder of their own. */
export function createCommandFiles(folder: string): CommandFiles {
  mkdirSync(folder, { recursive: true });
  const files = names.map((name) => [name, join(folder, name)] as const);
  for (const [, path] of files) writeFileSync(path, "");
  return Object.fromEntries(files) as CommandFiles;
}

/**
 * `NAME=value` lines and `NAME<<END` blocks, read as the runner reads them: only `\n` ends a line, a block without
 * its end and a line without a name are errors, and of two values the later one counts.
 */
export function parseCommandFile(text: string): Texts {
  const lines = text.split("\n");
  const found: [string, string][] = [];
  while (lines.length > 0) {
    const line = lines.shift() ?? "";
    if (line !== "") found.push(parseEntry(line, lines));
  }
  return Object.fromEntries(found);
}

/** One entry; a block takes its lines off `rest`. */
function parseEntry(line: string, rest: string[]): [name: string, value: string] {
  const [sign] = /=|<</.exec(line) ?? [];
  if (sign === undefined) throw invalid(line);
  const at = line.indexOf(sign);
  const [name, value] = [line.slice(0, at), line.slice(at + sign.length)];
  if (name === "" || (sign === "<<" && value === "")) throw invalid(line);
  if (sign === "=") return [name, value];
  const last = rest.indexOf(value);
  if (last < 0) throw new Error(`Invalid value. Matching delimiter not found '${value}'`);
  return [
    name,
    rest
      .splice(0, last + 1)
      .slice(0, -1)
      .join("\n"),
  ];
}

/** The folders a step added to `PATH`, one a line. */
export function readPathFile(path: string): string[] {
  return readFileSync(path, "utf8")
    .split(/\r?\n/)
    .filter((line) => line !== "");
}

const invalid = (line: string) => new Error(`Invalid format '${line}'`);
