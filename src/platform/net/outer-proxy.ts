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
function namedProxy(env: Environment, scheme: Scheme): string | undefined {
  const name = `${scheme}_proxy`;
  return env[name] || env[name.toUpperCase()] || env.all_proxy || env.ALL_PROXY;
}

const exemptHosts = (env: Environment): string => env.no_proxy || env.NO_PROXY || "";

/** Undefined for a proxy that speaks no HTTP. */
function readProxy(text: string): OuterProxy | undefined {
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

const isExempt = (list: string, { host, port }: Destination): boolean =>
  list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((entry) => entry.replace(/^\*?\./, ""))
    .some((entry) => {
      const [, name = entry, only] = /^([^:]*):(\d+)$/.exec(entry) ?? [];
      if (only !== undefined && Number(only) !== port) return false;
      return name === "*" || host === plainHost(name) || host.endsWith(`.${name}`);
    });

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** A name of letters, digits and hyphens, or an address. Anything else, a NUL byte above all, is refused (T20). Pure. */
export function isHostName(host: string): boolean {
  if (/^[0-9a-f:.]+$/.test(host) && host.includes(":")) return URL.canParse(`http://[${host}]/`);
  return host.length <= 253 && host.split(".").every((part) => label.test(part));
}

/** Reads `host:port`, as CONNECT names its target; undefined for anything that is not exactly that. Pure. */
export function parseTarget(text: string): Destination | undefined {
  const [, name = "", digits = ""] = /^(\[[^\]]*\]|[^:[\]]+):(\d{1,5})$/.exec(text) ?? [];
  const host = plainHost(name);
  const port = Number(digits);
  return isHostName(host) && port > 0 && port < 65_536 ? { host, port } : undefined;
}

/** Programs on this machine are reached directly. */
const own = ["localhost", "127.0.0.1", "::1"];

/** Lets `fetch` of this process take the proxy that the environment names. Node does so by itself only with a variable of its own. */
export function useMachineProxy(env: Environment): void {
  const proxy = namedProxy(env, "https");
  if (!proxy || !readProxy(proxy)) return;
  const https_proxy = proxy.includes("://") ? proxy : `http://${proxy}`;
  const no_proxy = [exemptHosts(env), ...own].join(",");
  // Loaded only here: it takes long, and most machines have no proxy. Node before 24.14 lacks the function.
  const { setGlobalProxyFromEnv } = process.getBuiltinModule("node:http");
  setGlobalProxyFromEnv?.({ https_proxy, no_proxy });
}
