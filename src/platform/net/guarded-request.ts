import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { framedHeaders } from "./exchange.ts";

/** A key that stays outside of a cage, and what a program in it has in place of the key. */
export interface KeyOutside {
  readonly standIn: string;
  readonly key: string;
}

export interface GuardedRequest {
  /** Path and query below the provider's address. */
  readonly rest: string;
  readonly headers: IncomingHttpHeaders;
}

/** TRACE would answer with the request, and the key in it. */
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Headers and parameters that say for whom a request is made. */
const credentialHeader = /authorization|api-?key|token$|^cookie/;
const credentialParameter = /^(?:key|api[-_]?key|(?:\w+[-_])?token|\$.*)$/i;

/** Parts of a path that lead above it. */
const stepUp = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){2}(?:[/\\]|%2f|%5c|$)/i;

/** Requests within a request, each with credentials of its own. */
const isBatch = (headers: IncomingHttpHeaders) =>
  /multipart\/(?:mixed|parallel)/i.test(headers["content-type"] ?? "");

/**
 * The request of a program whose key stays outside, with the key put in; undefined for one that no model answers. The key takes
 * the place of a whole credential only: elsewhere the provider's error message could repeat it (T15). Any other credential is
 * taken out: with it, a program could send what it reads to an account of someone else (T19, T20). Pure.
 */
export function guardedRequest(
  asked: Pick<IncomingMessage, "method" | "headers">,
  { rest, keys }: { rest: string; keys: readonly KeyOutside[] },
): GuardedRequest | undefined {
  const [, path = "", query] = /^([^?]*)(?:\?(.*))?$/s.exec(rest) ?? [];
  const isPlain = (path === "" || path.startsWith("/")) && !stepUp.test(path);
  if (!isPlain || !methods.includes(asked.method ?? "") || isBatch(asked.headers)) return undefined;
  return {
    rest: query === undefined ? path : `${path}?${withoutCredentials(query)}`,
    headers: Object.fromEntries(
      Object.entries(framedHeaders(asked)).flatMap(([name, value]) => {
        if (!credentialHeader.test(name)) return [[name, value]];
        const own = ownCredential(String(value), keys);
        return own === undefined ? [] : [[name, own]];
      }),
    ),
  };
}

function ownCredential(value: string, keys: readonly KeyOutside[]): string | undefined {
  const [, scheme = "", given = ""] = /^(bearer +)?(\S+)$/i.exec(value.trim()) ?? [];
  const found = keys.find(({ standIn }) => standIn === given);
  return found && `${scheme}${found.key}`;
}

const withoutCredentials = (query: string): string =>
  query
    .split(/[&;]/)
    .filter((parameter) => !credentialParameter.test(nameOf(parameter)))
    .join("&");

/** An address that cannot be decoded names nothing a provider needs. */
function nameOf(parameter: string): string {
  const [name = ""] = parameter.split("=");
  try {
    return decodeURIComponent(name.replaceAll("+", " ")).trim();
  } catch {
    return "key";
  }
}
