import type { IncomingMessage } from "node:http";

/** A request for a page. */
export interface PageRequest {
  request: IncomingMessage;
  /** The parts of the path that match `*`, undecoded. */
  parts: readonly string[];
  query: URLSearchParams;
}

export type PageHandler = (asked: PageRequest) => Promise<PageAnswer>;
export interface PageAnswer {
  status: number;
  type: string;
  body: string;
  headers?: Readonly<Record<string, string | string[]>>;
  /** The text after the body. */
  stream?: Stream;
}

/** Writes as things happen, until it is done or `signal` is aborted. */
export type Stream = (write: (text: string) => void, signal: AbortSignal) => Promise<void>;

export interface Route {
  /** GET routes also answer HEAD. */
  method: "GET" | "POST";
  /** `*` matches one part that needs no decoding. */
  path: string;
  page: PageHandler;
}

/** The handler of a request, with its path parts and query; undefined if no route matches. */
export function findPage(
  routes: readonly Route[],
  { request, path }: { request: IncomingMessage; path: string },
): (() => Promise<PageAnswer>) | undefined {
  const method = request.method === "HEAD" ? "GET" : request.method;
  for (const route of routes) {
    const parts = route.method === method ? match(route.path, path) : undefined;
    if (parts) return () => route.page({ request, parts, query: queryOf(request) });
  }
  return undefined;
}

const partForm = /^[\w-]{1,100}$/;

function match(pattern: string, path: string): string[] | undefined {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== given.length) return undefined;
  const parts: string[] = [];
  for (const [index, part] of given.entries()) {
    if (wanted[index] === "*" && partForm.test(part)) parts.push(part);
    else if (wanted[index] !== part) return undefined;
  }
  return parts;
}

function queryOf({ url = "" }: IncomingMessage): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
}
