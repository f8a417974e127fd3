import { hostPattern } from "../schema/base/fields.ts";

const defaultPorts = [80, 443];

type Destination = { readonly host: string; readonly port: number };

/** Whether one of the entries names the target. Pure; a target's host is lower case and has no brackets. */
export function isListedHost(entries: readonly string[], target: Destination): boolean {
  return entries.some((entry) => matches(entry.toLowerCase(), target));
}

function matches(entry: string, { host, port }: Destination): boolean {
  const { host: name = "", port: only } = hostPattern.exec(entry)?.groups ?? {};
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
