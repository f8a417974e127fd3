import type { CallNetwork } from "../../agents/call/call-network.ts";
import type { Driver, ModelProvider } from "../../agents/drivers/driver.ts";
import { resolveHost } from "../../platform/net/addresses.ts";
import type { ModelRoute } from "../../platform/net/model-route.ts";
import { isLoopbackHost, plainHost } from "../../platform/net/outer-proxy.ts";
import type { Environment, System } from "../../platform/system.ts";
import { type AllowedHosts, hostOfUrl, noHosts, reachOf } from "../../sandbox/allowed-hosts.ts";
import { addressInCage } from "../../sandbox/network-cage.ts";

export interface CallNetworkRequest {
  driver: Driver;
  isProxied: boolean;
  /** Hosts beside the provider's. */
  hosts: AllowedHosts;
  /** The folder for the proxy's socket; only ralph can enter it. */
  folder: string;
}

/** Opens the way out of one call's cage: to the driver's provider, with its key put in outside, and to listed hosts (T15, T20). */
export async function openCallNetwork(
  { env, randomHex }: Pick<System, "env" | "randomHex">,
  { driver: { name, provider }, isProxied, hosts, folder }: CallNetworkRequest,
): Promise<CallNetwork> {
  const standIns = provider && isProxied ? standInsOf(provider, env, randomHex) : [];
  const route = provider && routeOf({ name, provider, env }, standIns);
  const own = provider ? providerHosts(provider, env, standIns.length > 0) : noHosts;
  const allowed = {
    named: [...hosts.named, ...own.named],
    derived: [...hosts.derived, ...own.derived],
  };
  // Its HTTP server takes long to load, and most runs have no cage.
  const { openProxy } = await import("../../platform/net/proxy.ts");
  const proxy = await openProxy(folder, {
    reachOf: (target) => reachOf(allowed, target),
    resolve: resolveHost,
    routes: route ? [route] : [],
    env,
  });
  const address = provider && route && { [provider.addressVariable]: `${addressInCage}/${name}` };
  return {
    socket: proxy.socket,
    env: {
      ...Object.fromEntries(standIns.map((each) => [each.variable, each.standIn])),
      ...address,
    },
    refused: proxy.refused,
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  };
}

type StandIn = { variable: string; standIn: string; key: string };

/** Each begins like its key: programs tell kinds of keys apart by that. */
function standInsOf(
  { keys }: ModelProvider,
  env: Environment,
  randomHex: System["randomHex"],
): StandIn[] {
  return keys.flatMap((variable) => {
    const key = env[variable];
    if (!key) return [];
    const [prefix = ""] = /^(?:[a-z]{2,8}\d*-){0,3}/.exec(key) ?? [];
    return [{ variable, standIn: `${prefix}ralph-${randomHex(16)}`, key }];
  });
}

type Routed = { name: string; provider: ModelProvider; env: Environment };

/** With a key to put in, or to a provider on this machine, which the cage's own loopback interface hides. */
function routeOf(
  { name, provider, env }: Routed,
  keys: readonly StandIn[],
): ModelRoute | undefined {
  const url = addressOf(provider, env);
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return undefined;
  const isNeeded = keys.length > 0 || isLoopbackHost(plainHost(parsed.hostname));
  return isNeeded ? { name, url, keys } : undefined;
}

const addressOf = ({ addressVariable, url }: ModelProvider, env: Environment) =>
  env[addressVariable] || url;

/** A program whose key stays outside needs no connection of its own, through which it could use another key. */
function providerHosts(
  provider: ModelProvider,
  env: Environment,
  isProxied: boolean,
): AllowedHosts {
  if (isProxied) return noHosts;
  const host = hostOfUrl(addressOf(provider, env));
  const own = host ? [host] : [];
  const further = provider.hosts(env);
  return env[provider.addressVariable]
    ? { named: own, derived: further }
    : { named: [], derived: [...own, ...further] };
}
