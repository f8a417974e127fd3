import { spawnSync } from "node:child_process";

/** Whether a program can be run on this machine; tests that need it say so once when it cannot. */
export function hasProgram(file: string, args: readonly string[] = ["--version"]): boolean {
  const isThere = spawnSync(file, args, { stdio: "ignore" }).status === 0;
  if (!isThere)
    console.info(`skipped: \`${file} ${args.join(" ")}\` does not work on this machine`);
  return isThere;
}

/** Code for a separate Node process: `source` may import files of the project by absolute URL. */
export function nodeCommand(source: string): { file: string; args: string[] } {
  return { file: process.execPath, args: ["--input-type=module", "--eval", source] };
}

/** The URL of a source file, to be imported by a separate process. */
export function sourceUrl(path: string): string {
  return new URL(`../../../src/${path}`, import.meta.url).href;
}
