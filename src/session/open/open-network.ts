import type { Repository } from "../../git/repository/repository.ts";
import { readUserRevision } from "../../git/repository/user-head.ts";
import { listTree } from "../../git/trees/list-paths.ts";
import { commitOf } from "../../git/trees/objects.ts";
import { createPrivateFolder } from "../../platform/fs/folder-tree.ts";
import { resolveHost } from "../../platform/net/addresses.ts";
import { type Destination, requireUsableProxy } from "../../platform/net/outer-proxy.ts";
import type { CageProxy } from "../../platform/net/proxy.ts";
import type { System } from "../../platform/system.ts";
import { type AllowedHosts, noHosts, reachOf } from "../../sandbox/allowed-hosts.ts";
import type { SandboxNetwork } from "../../sandbox/network-cage.ts";
import { registriesOf } from "../../sandbox/registries.ts";
import type { Config } from "../../schema/config/config.ts";
import type { Network } from "../../schema/config/safety.ts";
import type { SessionNetwork } from "../loop/session-network.ts";
import { openCallNetwork } from "./call-network.ts";

type Place = { repo: Repository; config: Config; folder: string };

/** Without a sandbox there is one network for all. */
export const hostNetwork: SessionNetwork = {
  gates: { kind: "host" },
  openCall: async () => undefined,
  refused: () => [],
};

/** Opens the networks the configuration asks for. Proxies end with the process, and their folder with the session's homes. */
export async function openNetwork(system: System, place: Place): Promise<SessionNetwork> {
  const plan = networkPlan(place.config);
  requireUsableProxy(system.env);
  const registries =
    plan.agents === "cage" || plan.gates === "cage"
      ? await listRegistries(system, place.repo)
      : noHosts;
  const { allow } = place.config.sandbox.network;
  const all = { ...registries, named: [...allow, ...registries.named] };
  const proxy = plan.gates === "cage" ? await openGateProxy(system, place, all) : undefined;
  return {
    gates: networkOf(plan, proxy),
    openCall: async ({ driver, readOnly }) => {
      if (plan.agents === "host") return undefined;
      const listed = readOnly ? { named: allow, derived: [] } : all;
      const hosts = plan.agents === "cage" ? listed : noHosts;
      const folder = createPrivateFolder(place.folder, "network-");
      const { isProxied } = plan;
      return await openCallNetwork(system, { driver, isProxied, hosts, folder });
    },
    refused: () => proxy?.refused() ?? [],
  };
}

function networkOf({ gates }: NetworkPlan, proxy: CageProxy | undefined): SandboxNetwork {
  if (gates === "host") return { kind: "host" };
  return proxy ? { kind: "cage", socket: proxy.socket } : { kind: "none" };
}

async function openGateProxy(
  { env }: System,
  { folder }: Place,
  hosts: AllowedHosts,
): Promise<CageProxy> {
  const rules = {
    reachOf: (target: Destination) => reachOf(hosts, target),
    resolve: resolveHost,
    routes: [],
    env,
  };
  // Its HTTP server takes long to load, and most runs have no cage.
  const { openProxy } = await import("../../platform/net/proxy.ts");
  return await openProxy(createPrivateFolder(folder, "network-"), rules);
}

const listRegistries = async ({ env }: System, repo: Repository): Promise<AllowedHosts> =>
  registriesOf(await projectPaths(repo), env);

/** The files of the user's commit: an agent's own files open nothing. */
export async function projectPaths(repo: Repository): Promise<string[]> {
  const commit = await commitOf(repo, await readUserRevision(repo)).catch(() => undefined);
  return commit ? await listTree(repo, commit) : [];
}

/** The network of agents and that of gates. */
export interface NetworkPlan {
  readonly agents: Network["mode"];
  readonly gates: Network["gates"];
  /** Whether keys stay outside: the agent gets a stand-in, and the proxy puts the key in. */
  readonly isProxied: boolean;
}

/** Keys can stay outside only where the proxy is the only way out (design 5). Pure. */
export function networkPlan({ sandbox, agents }: Pick<Config, "sandbox" | "agents">): NetworkPlan {
  const { mode, gates } = sandbox.network;
  const isProxied = agents.credentials === "proxied";
  return { agents: isProxied && mode === "host" ? "cage" : mode, gates, isProxied };
}

export const isClosed = ({ agents, gates }: NetworkPlan): boolean =>
  agents !== "host" || gates !== "host";
