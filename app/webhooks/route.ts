import type { IncomingMessage } from "node:http";

/** What somebody asks a page for. */
export interface PageRequest {
  request: IncomingMessage;
  /** What stands in the place of `*` in the path, as it was sent. */
  parts: readonly string[];
  query: URLSearchParams;
}

/** A page or figure. */
export type PageHandler = (asked: PageRequest) => Promise<PageAnswer>;
export interface PageAnswer {
  status: number;
  type: string;
  body: string;
  headers?: Readonly<Record<string, string | string[]>>;
}

export interface Route {
  /** What can be asked by GET can be asked by HEAD. */
  method: "GET" | "POST";
  /** `*` stands for one part that needs no decoding. */
  path: string;
  page: PageHandler;
}

/** The page somebody asks for, with what it is told; undefined when there is none. */
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
