import { basename } from "node:path";
import type { Homes } from "../../agents/call/open-home.ts";
import { drivers } from "../../agents/drivers/drivers.ts";
import { RalphError, unlessBug } from "../../error.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { createPrivateFolder } from "../../platform/fs/folder-tree.ts";
import { readPathKinds } from "../../platform/fs/path-kinds.ts";
import { resolveHost } from "../../platform/net/addresses.ts";
import type { CageProxy } from "../../platform/net/proxy.ts";
import type { Environment, System } from "../../platform/system.ts";
import { type AgentHome, cacheFolders, listToolPaths } from "../../sandbox/agent-home.ts";
import { chooseSandbox, type SandboxChoice } from "../../sandbox/choose-sandbox.ts";
import { listHomeSecrets } from "../../sandbox/home-secrets.ts";
import type { SandboxNetwork } from "../../sandbox/network-cage.ts";
import { type Replacement, type SandboxProfile, sandboxCommand } from "../../sandbox/profile.ts";
import { packageCachesOf } from "../../sandbox/registries.ts";
import { probeSandbox, type SandboxProbe } from "../../sandbox/self-test.ts";
import { systemCallFilter } from "../../sandbox/system-calls.ts";
import type { Config } from "../../schema/config/config.ts";
import { processLimits } from "../loop/gate-deps-at.ts";
import type { Wrap } from "../loop/session-context.ts";
import type { SessionNetwork } from "../loop/session-network.ts";
import {
  hostNetwork,
  isClosed,
  type NetworkPlan,
  networkPlan,
  openNetwork,
  projectPaths,
} from "./open-network.ts";

/** Where package managers of gates write below the home folder. In a closed network the session has its own: gates run agents' code. */
const gateCaches = [".cache", ".npm"];

/** The folder of the store in which homes of agent calls are made, one folder for each process of ralph. */
export const homesFolder = "homes";

export type OpenSandbox = SandboxChoice & { wrap: Wrap; homes: Homes; network: SessionNetwork };

type Place = { repo: Repository; config: Config; store: string };
type Command = Parameters<Wrap>[0];

/** Probes the sandbox once with the session's real profiles and answers how to wrap commands (design 5). */
export async function openSandbox(system: System, place: Place): Promise<OpenSandbox> {
  const { config } = place;
  const { mode } = config.sandbox;
  const homes = homesOf(system.env, place);
  const off = { homes, network: hostNetwork, wrap: (command: Command) => command };
  const plan = networkPlan(config);
  if (mode === "off" && plan.isProxied) throw keysNeedSandbox();
  if (mode === "off") return { kind: "off", ...off };
  const caches = await makeCaches(system, place.repo);
  const replaced =
    plan.gates === "host" ? undefined : replaceCaches(system.env, { homes, place, caches });
  const filter = await writeFilter(system, homes);
  const profile = { ...profileOf(system.env, place, { caches, replaced }), filter };
  const given = { profile, homes, place };
  const choice = await choose(system, given, plan);
  if (choice.kind === "off") return { ...choice, ...off };
  const isCaged = isClosed(plan) && choice.network !== "host";
  const network = isCaged
    ? await openNetwork(system, { ...place, folder: homes.folder })
    : hostNetwork;
  return { ...choice, homes, network, wrap: wrapIn(given, network) };
}

/** Kernels that can filter system calls have this file. */
const filtersOfKernel = "/proc/sys/kernel/seccomp/actions_avail";

/** The path of the filter of system calls; undefined where the kernel has none, or numbers that ralph does not know. */
async function writeFilter(
  { files }: Pick<System, "files">,
  homes: Homes,
): Promise<string | undefined> {
  const filter = systemCallFilter(process.arch);
  if (!filter || readPathKinds([filtersOfKernel]).files.length === 0) return undefined;
  const folder = createPrivateFolder(homes.folder, "filter-");
  await files(folder).write(filterName, filter);
  return `${folder}/${filterName}`;
}

const filterName = "system-calls";

const keysNeedSandbox = () =>
  new RalphError("config", {
    message: "`agents.credentials: proxied` needs the sandbox, which is off.",
    remedy: "Set the sandbox to `auto` or `required`, or let agents have their keys: `passed`.",
  });

const wrapIn =
  ({ profile, homes, place }: Given, network: SessionNetwork): Wrap =>
  (command, { worktree, readOnly: isReader = false, guarded = [], ports = [], ...ofCall }) => {
    const { home } = ofCall;
    const own = home
      ? { ...agentProfile(profile, { home, homes, place }), network: cageOf(ofCall.network) }
      : { ...profile, network: { ...network.gates, ports } };
    const readOnly = [...profile.readOnly, ...guarded];
    return sandboxCommand(command, { ...own, worktree, isReader, readOnly });
  };

const cageOf = (network: { socket: string } | undefined): SandboxNetwork =>
  network ? { kind: "cage", socket: network.socket } : { kind: "host" };

type Given = { profile: SandboxProfile; homes: Homes; place: Place };

/** Where only the network cannot be closed, `auto` keeps the rest of the sandbox, unless keys must stay outside. */
async function choose(
  system: System,
  given: Given,
  plan: NetworkPlan,
): Promise<SandboxChoice & { network?: "host" }> {
  const { mode } = given.place.config.sandbox;
  const strict = plan.isProxied ? "required" : mode;
  const probed = await probe(system, given, isClosed(plan));
  if (probed.kind === "works" || strict !== "auto" || !isClosed(plan)) {
    return chooseSandbox(strict, probed);
  }
  const open = await probe(system, given, false);
  if (open.kind === "broken") return chooseSandbox(strict, probed);
  const warning = `No network cage: ${probed.reason}. Agents can reach every host.`;
  return { kind: "bubblewrap", network: "host", warning };
}

/** Its HTTP server takes long to load, and most runs have no cage. */
async function openDeafProxy(folder: string): Promise<CageProxy> {
  const { openProxy } = await import("../../platform/net/proxy.ts");
  return openProxy(folder, { reachOf: () => "none", resolve: resolveHost, routes: [], env: {} });
}

/** The profile of gates, then that of agents with a home folder, and in a cage if there is to be one. */
async function probe(
  system: System,
  { profile, homes, place }: Given,
  isCaged: boolean,
): Promise<SandboxProbe> {
  const gates = await probeSandbox(system, profile);
  if (gates.kind === "broken") return gates;
  const folder = createPrivateFolder(homes.folder, "probe-");
  const home = { folder, caches: folder, readable: [] };
  const own = agentProfile(profile, { home, homes, place });
  await using proxy = isCaged ? await openDeafProxy(folder) : undefined;
  const result = await probeSandbox(system, { ...own, network: cageOf(proxy) });
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
    replaced: [],
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

/** The caches of gates and setup steps, below the home folder. Those of the project's package managers are made if missing. */
async function makeCaches({ env, files }: System, repo: Repository): Promise<string[]> {
  const used = packageCachesOf(await projectPaths(repo));
  const home = env.HOME;
  if (home === undefined) return gateCaches;
  for (const name of used) {
    // Where it cannot be made, the package manager says so.
    await files(home).makeFolder(name).catch(unlessBug);
  }
  return [...gateCaches, ...used];
}

/** The session's own caches of gates, empty at first; those that the configuration names stay the user's. */
function replaceCaches(
  env: Environment,
  { homes, place, caches }: Omit<Given, "profile"> & { caches: readonly string[] },
): Replacement[] {
  const named = place.config.sandbox.writable.flatMap(resolved);
  return caches
    .flatMap((name) => resolved(`${env.HOME ?? "/nonexistent"}/${name}`))
    .filter((path) => !named.includes(path))
    .map((path) => ({
      path,
      by: createPrivateFolder(homes.folder, "gates-"),
      kept: homes.tools.filter((tool) => tool.startsWith(`${path}/`)),
    }));
}

function profileOf(
  env: Environment,
  { repo, config, store }: Place,
  { caches, replaced }: { caches: readonly string[]; replaced: readonly Replacement[] | undefined },
): SandboxProfile {
  const home = env.HOME ?? "/nonexistent";
  const logins = drivers.flatMap((driver) => (driver.home ? [`${home}/${driver.home}`] : []));
  const shared = replaced ? [] : caches.map((name) => `${home}/${name}`);
  const writable = [...shared, ...config.sandbox.writable];
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
    ...(replaced && { replaced }),
    writable: writable.flatMap(resolved),
    readOnly: [...new Set(git.flatMap(resolved))],
    hiddenFolders: secrets.folders,
    hiddenFiles: secrets.files,
    limits: processLimits(config),
    isRoot: process.getuid?.() === 0,
  };
}
