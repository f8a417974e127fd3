import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestPlain,
  type ServerResponse,
} from "node:http";
import { request as requestSecure } from "node:https";
import type { Environment } from "../system.ts";
import { pinned } from "./addresses.ts";
import { type CheckedTarget, serverName } from "./connect.ts";
import { isHostName, outerProxyFor, plainHost } from "./outer-proxy.ts";

/** Headers that concern one connection, not the request (RFC 9110, 7.6.1). */
const ownOfConnection = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** The headers that go on to the other side. Pure. */
function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = String(headers.connection ?? "")
    .toLowerCase()
    .split(/[\s,]+/);
  const dropped = new Set([...ownOfConnection, ...named]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
}

/**
 * The headers of a request that goes on, with its body framed as it came. Node sends the body of a GET without a frame, unless
 * a header says so: its bytes would be a request of their own, which nobody has checked (T20). Pure.
 */
export function framedHeaders({ headers }: Pick<IncomingMessage, "headers">): IncomingHttpHeaders {
  const length = headers["content-length"];
  return {
    ...passedOn(headers),
    ...(length !== undefined && { "content-length": length }),
    ...(headers["transfer-encoding"] !== undefined && { "transfer-encoding": "chunked" }),
  };
}

/** Answers a request with one sentence. */
export function answer(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { "content-type": "text/plain" }).end(`${text}\n`);
}

/** Passes an answer back as it comes. */
export function relay(from: IncomingMessage, to: ServerResponse): void {
  to.writeHead(from.statusCode ?? 502, passedOn(from.headers));
  from.on("error", () => to.destroy());
  from.pipe(to);
}

type WholeAddress = { url: URL; target: CheckedTarget };

/** Reads the address of a request as `http_proxy` sends it: plain HTTP, without a login. Undefined for others. Pure. */
export function parseWholeAddress(text: string): WholeAddress | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== "http:" || url.username !== "" || url.password !== "") return undefined;
  const host = plainHost(url.hostname);
  return isHostName(host) ? { url, target: { host, port: Number(url.port || 80) } } : undefined;
}

/** Passes a request on to its host, through the machine's own proxy where it has one. */
export function forwardRequest(
  asked: IncomingMessage,
  response: ServerResponse,
  { url, target, env }: WholeAddress & { env: Environment },
): void {
  const outer = outerProxyFor(env, target, "http");
  const { host, port } = outer ?? target;
  const { addresses } = target;
  const login = outer?.authorization && { "proxy-authorization": outer.authorization };
  const send = outer?.isSecure ? requestSecure : requestPlain;
  const sent = send(
    {
      // A connection of the shared agent may lead to an address that was checked for another program.
      ...{ agent: false, host, port, servername: serverName(host), method: asked.method ?? "GET" },
      ...(!outer && addresses && { lookup: pinned(addresses) }),
      path: outer ? url.href : `${url.pathname}${url.search}`,
      headers: { ...framedHeaders(asked), host: url.host, ...login },
    },
    (given) => relay(given, response),
  );
  sent.on("error", ({ message }) => answer(response, 502, `ralph: ${url.host}: ${message}`));
  response.on("close", () => sent.destroy());
  asked.pipe(sent);
}
