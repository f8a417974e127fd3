import type { IncomingMessage, ServerResponse } from "node:http";
import { Agent as HttpAgent, type RequestOptions, request as requestPlain } from "node:http";
import { Agent as HttpsAgent, request as requestSecure } from "node:https";
import { connect as startTls } from "node:tls";
import type { Environment } from "../system.ts";
import { connectTo } from "./connect.ts";
import { answer, framedHeaders, relay } from "./exchange.ts";
import { type GuardedRequest, guardedRequest, type KeyOutside } from "./guarded-request.ts";
import { type Destination, isLoopbackHost, plainHost } from "./outer-proxy.ts";

/**
 * A path of the proxy that leads to one address outside: `/name/rest` goes to `url` + `/rest`. A credential that is exactly
 * `standIn` becomes the key.
 */
export interface ModelRoute {
  readonly name: string;
  readonly url: string;
  readonly keys: readonly KeyOutside[];
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
  return {
    carry: (asked, response, rest) => {
      const request =
        keys.length === 0 ? openRequest(asked, rest) : guardedRequest(asked, { rest, keys });
      if (request === undefined) {
        answer(response, 403, `ralph: ${asked.method} ${base.host} is no request to a model.`);
        return;
      }
      const options: RequestOptions = {
        ...{ agent, host: target.host, port: target.port, method: asked.method ?? "GET" },
        path: `${base.pathname.replace(/\/$/, "")}${request.rest}`,
        headers: { ...request.headers, host: base.host },
      };
      const sent = send(options, (given) => relay(given, response));
      sent.on("error", ({ message }) => answer(response, 502, `ralph: ${base.host}: ${message}`));
      response.on("close", () => sent.destroy());
      asked.pipe(sent);
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

/** A program with its own key says what it likes. */
const openRequest = (asked: IncomingMessage, rest: string): GuardedRequest => ({
  rest,
  headers: framedHeaders(asked),
});

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
