import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SupervisedCommand } from "../../../src/platform/system.ts";
import { type SandboxProfile, sandboxCommand } from "../../../src/sandbox/profile.ts";
import { systemCallFilter } from "../../../src/sandbox/system-calls.ts";
import { hasProgram } from "./programs.ts";
import { createTestFolder } from "./system.ts";

export const hasBubblewrap = hasProgram("bwrap", ["--ro-bind", "/", "/", "--unshare-pid", "true"]);

/** A work tree with a git directory and a state directory beside it, all below `/tmp`. */
export async function createSandboxSetting() {
  const folder = await createTestFolder();
  const [worktree, state] = [join(folder.path, "work"), join(folder.path, "state")];
  await mkdir(join(worktree, ".git"), { recursive: true });
  await mkdir(state);
  await writeFile(join(worktree, ".git/config"), "[core]\n");
  await writeFile(join(state, "journal"), "state of ours\n");
  const profile: SandboxProfile = {
    worktree,
    writable: [],
    readOnly: [join(worktree, ".git")],
    hiddenFolders: [state],
    hiddenFiles: [],
    isRoot: process.getuid?.() === 0,
    filter: await writeFilter(state),
  };
  return { profile, worktree, state, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

async function writeFilter(folder: string): Promise<string | undefined> {
  const filter = systemCallFilter(process.arch);
  if (filter) await writeFile(join(folder, "system-calls"), filter);
  return filter && join(folder, "system-calls");
}

/** A shell script as a supervised command, with or without the sandbox around it. */
export function scriptCommand(
  script: string,
  { profile, isInside }: { profile: SandboxProfile; isInside: boolean },
): SupervisedCommand {
  const plain = { file: "sh", args: ["-c", script] };
  const command = isInside ? sandboxCommand(plain, profile) : plain;
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME };
  return { ...command, cwd: profile.worktree, env, timeoutMs: 20_000 };
}
