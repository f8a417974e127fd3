import type { Reach } from "../platform/net/proxy.ts";
import { hostPattern } from "../schema/base/fields.ts";

const defaultPorts = [80, 443];

type Destination = { readonly host: string; readonly port: number };

/** The hosts that programs in a cage may reach, by who chose them. */
export interface AllowedHosts {
  /** By a person: the configuration, or a variable of the machine. */
  readonly named: readonly string[];
  /** By ralph: registries and model providers. */
  readonly derived: readonly string[];
}

export const noHosts: AllowedHosts = { named: [], derived: [] };

/**
 * At which addresses programs may reach the target. A name that only a wildcard or ralph chose leads to public ones: its
 * owner could point its records at this machine's own networks (T20). Pure; a target's host is lower case and has no brackets.
 */
export function reachOf({ named, derived }: AllowedHosts, target: Destination): Reach {
  const listed = named.filter((entry) => matches(entry, target));
  if (listed.some((entry) => !entry.startsWith("*."))) return "any";
  const isListed = listed.length > 0 || derived.some((entry) => matches(entry, target));
  return isListed ? "public" : "none";
}

function matches(entry: string, { host, port }: Destination): boolean {
  const { host: name = "", port: only } = hostPattern.exec(entry.toLowerCase())?.groups ?? {};
  const isPort = only === undefined ? defaultPorts.includes(port) : Number(only) === port;
  if (!isPort || name === "") return false;
  if (name.startsWith("*.")) return host.endsWith(name.slice(1));
  return name.replace(/^\[(.*)\]$/, "$1") === host;
}

/** The entry for the host of a URL, with its port unless the scheme implies it; undefined for anything else. Pure. */
export function hostOfUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
  return hostPattern.test(url.host) ? url.host : undefined;
}
