import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildPrograms } from "../../../.github/scripts/build-programs.ts";

/** `crash-child` is the command with orders when to die. */
const programs = { main: "src/cli/main.ts", "crash-child": "test/support/crash/child.ts" };

/** All test processes of a run share a folder; a script has its own. */
const parent = process.env.VITEST ? tmpdir() : mkdtempSync(join(tmpdir(), "ralph-"));

/**
 * The file of a program, built as it is shipped: it starts in a fraction of the time its sources take. The first test
 * process that asks builds all programs.
 */
export async function bundle(program: keyof typeof programs): Promise<string> {
  const folder = join(parent, "ralph-bundle");
  while (!existsSync(folder)) await buildOnce(folder);
  return join(folder, `${program}.js`);
}

/** Builds, or waits a little while another process does. */
async function buildOnce(folder: string): Promise<void> {
  const draft = `${folder}.draft`;
  const isOurs = mkdirSync(draft, { recursive: true }) !== undefined;
  if (!isOurs) return sleep(50);
  try {
    // Another process may have ended its build in between.
    if (existsSync(folder)) return;
    await buildPrograms(draft, [programs]);
    writeFileSync(join(draft, "package.json"), '{ "type": "module" }\n');
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
