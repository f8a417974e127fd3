import { calledRoles } from "../../agents/call/called-agents.ts";
import { drivers } from "../../agents/drivers/drivers.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { readPathKinds } from "../../platform/fs/path-kinds.ts";
import type { System } from "../../platform/system.ts";
import { chooseSandbox, type SandboxChoice } from "../../sandbox/choose-sandbox.ts";
import { listHomeSecrets } from "../../sandbox/home-secrets.ts";
import { type SandboxProfile, sandboxCommand } from "../../sandbox/profile.ts";
import { probeSandbox } from "../../sandbox/self-test.ts";
import type { Config } from "../../schema/config/config.ts";
import type { Wrap } from "../loop/session-context.ts";

/** Paths below the home folder that package managers and agent programs must be able to write, besides their own folder. */
const ownFolders = [".claude.json", ".cache", ".npm"];

export type OpenSandbox = SandboxChoice & { wrap: Wrap };

/** Probes the sandbox once with the session's real profile and answers how to wrap commands (design 5). */
export async function openSandbox(
  system: System,
  place: { repo: Repository; config: Config; store: string },
): Promise<OpenSandbox> {
  const { mode } = place.config.sandbox;
  if (mode === "off") return { kind: "off", wrap: (command) => command };
  await makeHomes(system, place.config);
  const profile = profileOf(system, place);
  const choice = chooseSandbox(mode, await probeSandbox(system, profile));
  const wrap: Wrap =
    choice.kind === "off"
      ? (command) => command
      : (command, { worktree, readOnly: isReader = false, guarded = [] }) => {
          const readOnly = [...profile.readOnly, ...guarded];
          return sandboxCommand(command, { ...profile, worktree, isReader, readOnly });
        };
  return { ...choice, wrap };
}

/** Makes the programs' own folders: in the sandbox, a program could not create its folder in the read-only home. */
async function makeHomes(
  { files, env }: Pick<System, "files" | "env">,
  { agents }: Config,
): Promise<void> {
  if (!env.HOME) return;
  const called = new Set<string>(calledRoles.map((role) => agents[role].driver));
  const homes = drivers.flatMap(({ name, home }) => (called.has(name) ? (home ?? []) : []));
  for (const home of homes) await files(env.HOME).makeFolder(home);
}

/** Paths with their links resolved: a link could lead around a read-only mount. */
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
  const agentHomes = drivers.flatMap((driver) => driver.home ?? []);
  const open = readPathKinds([
    ...[...ownFolders, ...agentHomes].map((name) => `${home}/${name}`),
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
