import { basename } from "node:path";
import type { Homes } from "../../agents/call/open-home.ts";
import { drivers } from "../../agents/drivers/drivers.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { readPathKinds } from "../../platform/fs/path-kinds.ts";
import { createPrivateFolder } from "../../platform/fs/private-folder.ts";
import type { Environment, System } from "../../platform/system.ts";
import { type AgentHome, cacheFolders, listToolPaths } from "../../sandbox/agent-home.ts";
import { chooseSandbox, type SandboxChoice } from "../../sandbox/choose-sandbox.ts";
import { listHomeSecrets } from "../../sandbox/home-secrets.ts";
import { type SandboxProfile, sandboxCommand } from "../../sandbox/profile.ts";
import { probeSandbox, type SandboxProbe } from "../../sandbox/self-test.ts";
import type { Config } from "../../schema/config/config.ts";
import type { Wrap } from "../loop/session-context.ts";

/** Paths below the home folder that package managers of gates and setup steps must be able to write. */
const gateCaches = [".cache", ".npm"];

/** The folder of the store in which homes of agent calls are made, one folder for each process of ralph. */
export const homesFolder = "homes";

export type OpenSandbox = SandboxChoice & { wrap: Wrap; homes: Homes };

type Place = { repo: Repository; config: Config; store: string };

/** Probes the sandbox once with the session's real profiles and answers how to wrap commands (design 5). */
export async function openSandbox(system: System, place: Place): Promise<OpenSandbox> {
  const { mode } = place.config.sandbox;
  const homes = homesOf(system.env, place);
  const off = { homes, wrap: (command: Parameters<Wrap>[0]) => command };
  if (mode === "off") return { kind: "off", ...off };
  const profile = profileOf(system.env, place);
  const choice = chooseSandbox(mode, await probe(system, { profile, homes, place }));
  if (choice.kind === "off") return { ...choice, ...off };
  const wrap: Wrap = (command, { worktree, readOnly: isReader = false, guarded = [], home }) => {
    const own = home ? agentProfile(profile, { home, homes, place }) : profile;
    const readOnly = [...profile.readOnly, ...guarded];
    return sandboxCommand(command, { ...own, worktree, isReader, readOnly });
  };
  return { ...choice, homes, wrap };
}

type Given = { profile: SandboxProfile; homes: Homes; place: Place };

/** The profile of gates, then that of agents with a home folder. */
async function probe(system: System, { profile, homes, place }: Given): Promise<SandboxProbe> {
  const gates = await probeSandbox(system, profile);
  if (gates.kind === "broken") return gates;
  const folder = createPrivateFolder(homes.folder, "probe-");
  const home = { folder, caches: folder, readable: [] };
  const result = await probeSandbox(system, agentProfile(profile, { home, homes, place }));
  await system.files(homes.folder).remove(basename(folder));
  return result;
}

/** An agent sees the home folder of its call in place of the user's, so nothing in that has to be hidden. */
function agentProfile(
  profile: SandboxProfile,
  { home, homes, place }: { home: AgentHome; homes: Homes; place: Place },
): SandboxProfile {
  const { seenAt } = homes;
  const writable = place.config.sandbox.writable.flatMap(resolved);
  const isBelow = (path: string, folder: string) => path.startsWith(`${folder}/`);
  const isInView = (path: string) =>
    seenAt === undefined ||
    !isBelow(path, seenAt) ||
    path === place.store ||
    writable.some((folder) => isBelow(path, folder));
  return {
    ...profile,
    writable,
    hiddenFolders: profile.hiddenFolders.filter(isInView),
    hiddenFiles: profile.hiddenFiles.filter(isInView),
    home: { ...home, seenAt: seenAt ?? home.folder, tools: seenAt ? homes.tools : [] },
  };
}

/** A home folder inside the work tree is a part of the project: it stays in view, and calls see their own elsewhere. */
function homesOf(env: Environment, { repo, store }: Place): Homes {
  const home = env.HOME ?? "";
  const [real] = resolved(home);
  const isProject = real === undefined || `${real}/`.startsWith(`${repo.worktree}/`);
  return {
    folder: `${store}/${homesFolder}/${process.pid}`,
    seenAt: isProject || real === "/" ? undefined : real,
    caches: cacheFolders,
    tools: home === "" ? [] : listToolPaths(home, env.PATH),
  };
}

/** The path with its links resolved, or nothing if it is missing: a link could lead around a mount. */
function resolved(path: string): string[] {
  const { folders, files } = readPathKinds([path]);
  return [...folders, ...files];
}

function profileOf(env: Environment, { repo, config, store }: Place): SandboxProfile {
  const home = env.HOME ?? "/nonexistent";
  const logins = drivers.flatMap((driver) => (driver.home ? [`${home}/${driver.home}`] : []));
  const writable = [...gateCaches.map((name) => `${home}/${name}`), ...config.sandbox.writable];
  const named = new Set(config.sandbox.writable);
  const hidden = [
    store,
    ...[...listHomeSecrets(home), ...logins, `${home}/.claude.json`].filter(
      (path) => !named.has(path),
    ),
    ...(env.RUNNER_TEMP ? [env.RUNNER_TEMP] : []),
  ];
  const secrets = readPathKinds(hidden);
  const git = [repo.gitDir, repo.commonDir, `${repo.worktree}/.git`];
  return {
    worktree: repo.worktree,
    writable: writable.flatMap(resolved),
    readOnly: [...new Set(git.flatMap(resolved))],
    hiddenFolders: secrets.folders,
    hiddenFiles: secrets.files,
    isRoot: process.getuid?.() === 0,
  };
}
