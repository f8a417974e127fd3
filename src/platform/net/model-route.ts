import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { Agent as HttpAgent, type RequestOptions, request as requestPlain } from "node:http";
import { Agent as HttpsAgent, request as requestSecure } from "node:https";
import { connect as startTls } from "node:tls";
import type { Environment } from "../system.ts";
import { connectTo } from "./connect.ts";
import { answer, passedOn, relay } from "./exchange.ts";
import { type Destination, isLoopbackHost, plainHost } from "./outer-proxy.ts";

/**
 * A path of the proxy that leads to one address outside: `/name/rest` goes to `url` + `/rest`. Wherever a header or the
 * query holds `stand_in`, the real key takes its place.
 */
export interface ModelRoute {
  readonly name: string;
  readonly url: string;
  readonly keys: readonly { readonly standIn: string; readonly key: string }[];
}

/** Passes requests on to a model provider, over connections that are used again. */
export interface RouteCarrier extends Disposable {
  carry: (asked: IncomingMessage, response: ServerResponse, rest: string) => void;
}

export function openRoute({ url, keys }: ModelRoute, env: Environment): RouteCarrier {
  const base = new URL(url);
  const isSecure = base.protocol === "https:";
  const target = {
    host: plainHost(base.hostname),
    port: Number(base.port || (isSecure ? 443 : 80)),
  };
  const agent = isSecure ? secureAgent(target, env) : new HttpAgent({ keepAlive: true });
  const send = isSecure ? requestSecure : requestPlain;
  const withKeys = (text: string) =>
    keys.reduce((changed, { standIn, key }) => changed.replaceAll(standIn, key), text);
  const holdsStandIn = (text: string) =>
    keys.length === 0 || keys.some(({ standIn }) => text.includes(standIn));
  return {
    carry: (asked, response, rest) => {
      const headers = withoutOthers(passedOn(asked.headers), holdsStandIn);
      const options: RequestOptions = {
        ...{ agent, host: target.host, port: target.port, method: asked.method ?? "GET" },
        path: withKeys(`${base.pathname.replace(/\/$/, "")}${rest}`),
        headers: { ...mapValues(headers, withKeys), host: base.host },
      };
      const sent = send(options, (given) => relay(given, response));
      sent.on("error", ({ message }) => answer(response, 502, `ralph: ${base.host}: ${message}`));
      response.on("close", () => sent.destroy());
      asked.pipe(sent);
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

const credentials = ["authorization", "x-api-key", "x-goog-api-key", "api-key", "cookie"];

/** With another key than the one put in, a program could send what it reads to an account of someone else (T19, T20). */
const withoutOthers = (
  headers: IncomingHttpHeaders,
  holdsStandIn: (text: string) => boolean,
): IncomingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => !credentials.includes(name) || holdsStandIn(String(value)),
    ),
  );

/** TLS over a connection that may lead through the machine's own proxy. */
function secureAgent(target: Destination, env: Environment): HttpsAgent {
  const agent = new HttpsAgent({ keepAlive: true });
  if (isLoopbackHost(target.host)) return agent;
  agent.createConnection = (_, connected) => {
    connectTo(target, env).then(
      (socket) => connected?.(null, startTls({ socket, servername: target.host })),
      (error) => connected?.(error, undefined as never),
    );
    return undefined;
  };
  return agent;
}

const mapValues = (
  headers: IncomingHttpHeaders,
  change: (text: string) => string,
): IncomingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(change) : value && change(value),
    ]),
  );
