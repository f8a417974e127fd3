import type { Environment } from "../system.ts";

/** Where a connection goes. */
export interface Destination {
  /** A host name or an address, lower case, without brackets. */
  readonly host: string;
  readonly port: number;
}

/** The proxy this machine reaches its network through. */
export interface OuterProxy extends Destination {
  /** The value of Proxy-Authorization; undefined without a password. */
  readonly authorization: string | undefined;
}

/** The proxy that the environment names for a target, as curl reads it; undefined for a direct connection. Pure. */
export function outerProxyFor(
  env: Environment,
  { host, port }: Destination,
  scheme: "http" | "https",
): OuterProxy | undefined {
  const name = `${scheme}_proxy`;
  const text = env[name] || env[name.toUpperCase()] || env.all_proxy || env.ALL_PROXY;
  if (!text || isLoopbackHost(host) || isExempt(env.no_proxy || env.NO_PROXY || "", { host, port }))
    return undefined;
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  if (url?.protocol !== "http:") return undefined;
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return {
    host: plainHost(url.hostname),
    port: Number(url.port || 80),
    authorization: login === ":" ? undefined : `Basic ${Buffer.from(login).toString("base64")}`,
  };
}

export const isLoopbackHost = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);

/** A host as URLs and headers write it, without the brackets of an IPv6 address and the dot of a full name. Pure. */
export const plainHost = (host: string): string =>
  host
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "")
    .toLowerCase();

function isExempt(list: string, { host, port }: Destination): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((entry) => entry.replace(/^\*?\./, ""))
    .some((entry) => {
      const [, name = entry, only] = /^([^:]*):(\d+)$/.exec(entry) ?? [];
      if (only !== undefined && Number(only) !== port) return false;
      return name === "*" || host === plainHost(name) || host.endsWith(`.${name}`);
    });
}
