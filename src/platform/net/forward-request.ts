import { type IncomingMessage, request as requestPlain, type ServerResponse } from "node:http";
import { request as requestSecure } from "node:https";
import type { Environment } from "../system.ts";
import { serverName } from "./connect.ts";
import { answer, passedOn, relay } from "./exchange.ts";
import { type Destination, outerProxyFor, plainHost } from "./outer-proxy.ts";
import { isHostName } from "./parse-target.ts";

type WholeAddress = { url: URL; target: Destination };

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
  const login = outer?.authorization && { "proxy-authorization": outer.authorization };
  const send = outer?.isSecure ? requestSecure : requestPlain;
  const sent = send(
    {
      ...{ host, port, servername: serverName(host), method: asked.method ?? "GET" },
      path: outer ? url.href : `${url.pathname}${url.search}`,
      headers: { ...passedOn(asked.headers), host: url.host, ...login },
    },
    (given) => relay(given, response),
  );
  sent.on("error", ({ message }) => answer(response, 502, `ralph: ${url.host}: ${message}`));
  response.on("close", () => sent.destroy());
  asked.pipe(sent);
}
