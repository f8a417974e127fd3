import type { Repository } from "../git/repository.ts";
import type { Config } from "../model/config.ts";
import { chooseSandbox, type SandboxChoice } from "../sandbox/choose-sandbox.ts";
import { listHomeSecrets } from "../sandbox/home-secrets.ts";
import { type SandboxProfile, sandboxCommand } from "../sandbox/profile.ts";
import { probeSandbox } from "../sandbox/self-test.ts";
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
  const profile = await profileOf(system, place);
  const choice = chooseSandbox(mode, await probeSandbox(system, profile));
  const wrap: Wrap =
    choice.kind === "off"
      ? (command) => command
      : (command, { worktree }) => sandboxCommand(command, { ...profile, worktree });
  return { ...choice, wrap };
}

async function profileOf(
  { files, env }: System,
  { repo, config, store }: { repo: Repository; config: Config; store: string },
): Promise<SandboxProfile> {
  const home = env.HOME ?? "/nonexistent";
  const secrets = await Promise.all(
    listHomeSecrets(home).map(async (path) => ({ path, stat: await statOf(files, path) })),
  );
  const kept = (kind: string) =>
    secrets.filter(({ stat }) => stat === kind).map(({ path }) => path);
  const ownGit = `${repo.worktree}/.git`;
  return {
    worktree: repo.worktree,
    writable: [...ownFolders.map((name) => `${home}/${name}`), ...config.sandbox.writable],
    readOnly: [...new Set([repo.gitDir, repo.commonDir, ownGit])],
    hiddenFolders: [store, ...kept("folder")],
    hiddenFiles: kept("file"),
    isRoot: process.getuid?.() === 0,
  };
}

async function statOf(files: System["files"], path: string): Promise<string | undefined> {
  const cut = path.lastIndexOf("/");
  return (await files(path.slice(0, cut)).stat(path.slice(cut + 1)))?.kind;
}
