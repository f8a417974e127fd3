import { RalphError } from "../../error.ts";
import type { Environment } from "../system.ts";

/** Where a connection goes. */
export interface Destination {
  /** A host name or an address, lower case, without brackets. */
  readonly host: string;
  readonly port: number;
}

/** The proxy this machine reaches its network through. */
export interface OuterProxy extends Destination {
  /** Whether the connection to the proxy itself is encrypted. */
  readonly isSecure: boolean;
  /** The value of Proxy-Authorization; undefined without a password. */
  readonly authorization: string | undefined;
}

type Scheme = "http" | "https";

/** The proxy that the environment names for a target, as curl reads it; undefined for a direct connection. Pure. */
export function outerProxyFor(
  env: Environment,
  { host, port }: Destination,
  scheme: Scheme,
): OuterProxy | undefined {
  const text = namedProxy(env, scheme);
  if (!text || isLoopbackHost(host) || isExempt(exemptHosts(env), { host, port })) return undefined;
  return readProxy(text);
}

/** Throws when the environment names a proxy of a kind ralph cannot use: it would connect around it in silence. Pure. */
export function requireUsableProxy(env: Environment): void {
  for (const scheme of ["https", "http"] as const) {
    const text = namedProxy(env, scheme);
    if (!text || readProxy(text)) continue;
    // The value may hold a password, so only its beginning is shown.
    const kind = /^\w+:\/\//.exec(text)?.[0] ?? "";
    throw new RalphError("config", {
      message: `The network cage cannot use the proxy in ${scheme.toUpperCase()}_PROXY or ALL_PROXY (${kind}...).`,
      remedy: `Name a proxy as in \`${scheme.toUpperCase()}_PROXY=http://proxy.example:3128\`: http or https.`,
    });
  }
}

/** The value of the variable that counts for a scheme. */
export function namedProxy(env: Environment, scheme: Scheme): string | undefined {
  const name = `${scheme}_proxy`;
  return env[name] || env[name.toUpperCase()] || env.all_proxy || env.ALL_PROXY;
}

export const exemptHosts = (env: Environment): string => env.no_proxy || env.NO_PROXY || "";

/** Undefined for a proxy that speaks no HTTP. */
export function readProxy(text: string): OuterProxy | undefined {
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") return undefined;
  const isSecure = url.protocol === "https:";
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return {
    host: plainHost(url.hostname),
    port: Number(url.port || (isSecure ? 443 : 80)),
    isSecure,
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
