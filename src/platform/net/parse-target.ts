import { type Destination, plainHost } from "./outer-proxy.ts";

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
