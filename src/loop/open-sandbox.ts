import type { Repository } from "../git/repository.ts";
import type { Config } from "../model/config.ts";
import { chooseSandbox, type SandboxChoice } from "../sandbox/choose-sandbox.ts";
import { listHomeSecrets } from "../sandbox/home-secrets.ts";
import { type SandboxProfile, sandboxCommand } from "../sandbox/profile.ts";
import { probeSandbox } from "../sandbox/self-test.ts";
import { readPathKinds } from "../system/path-kinds.ts";
import type { System } from "../system/system.ts";
import type { Wrap } from "./session.ts";

/** Below the home folder: what agent programs and package managers must be able to write. */
const ownFolders = [".claude", ".claude.json", ".codex", ".cache", ".npm"];

export type OpenSandbox = SandboxChoice & { wrap: Wrap };

/** Tries the sandbox once with the session's real profile and answers how commands are wrapped (design 5). */
export async function openSandbox(
  system: System,
  place: { repo: Repository; config: Config; store: string },
): Promise<OpenSandbox> {
  const { mode } = place.config.sandbox;
  if (mode === "off") return { kind: "off", wrap: (command) => command };
  const profile = profileOf(system, place);
  const choice = chooseSandbox(mode, await probeSandbox(system, profile));
  const wrap: Wrap =
    choice.kind === "off"
      ? (command) => command
      : (command, { worktree }) => sandboxCommand(command, { ...profile, worktree });
  return { ...choice, wrap };
}

/** Paths with their links resolved: a detour would lead around a read-only mount. */
function profileOf(
  { env }: System,
  { repo, config, store }: { repo: Repository; config: Config; store: string },
): SandboxProfile {
  const home = env.HOME ?? "/nonexistent";
  const secrets = readPathKinds([
    store,
    ...listHomeSecrets(home),
    ...(env.RUNNER_TEMP ? [env.RUNNER_TEMP] : []),
  ]);
  const open = readPathKinds([
    ...ownFolders.map((name) => `${home}/${name}`),
    ...config.sandbox.writable,
  ]);
  const git = readPathKinds([repo.gitDir, repo.commonDir, `${repo.worktree}/.git`]);
  return {
    worktree: repo.worktree,
    writable: [...open.folders, ...open.files],
    readOnly: [...new Set([...git.folders, ...git.files])],
    hiddenFolders: secrets.folders,
    hiddenFiles: secrets.files,
    isRoot: process.getuid?.() === 0,
  };
}
