import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import type { Environment } from "../system.ts";
import { isPublicAddress, ownAddresses, type Resolve } from "./addresses.ts";
import { authorityOf, type CheckedTarget, connectTo } from "./connect.ts";
import { answer, forwardRequest, parseWholeAddress } from "./exchange.ts";
import { type ModelRoute, openRoute, type RouteCarrier } from "./model-route.ts";
import { type Destination, outerProxyFor, parseTarget } from "./outer-proxy.ts";

/** At which addresses a target may be reached: at any where a person named it, else at public ones or none. */
export type Reach = "any" | "public" | "none";

export interface ProxyRules {
  /** Names are resolved only after this (T20). */
  readonly reachOf: (target: Destination) => Reach;
  readonly resolve: Resolve;
  readonly routes: readonly ModelRoute[];
  /** For the machine's own proxy (HTTPS_PROXY, NO_PROXY). */
  readonly env: Environment;
}

/** The only way out of a network cage: an HTTP proxy on a unix socket. */
export interface CageProxy extends AsyncDisposable {
  /** The path of the socket. */
  readonly socket: string;
  /** The targets that were refused, each once: `host:port`, or `host:port at ADDRESS` where only that was the reason. */
  readonly refused: () => readonly string[];
}

/** Most refused targets that are kept, and most connections at a time: programs in the cage decide both. */
const maxRefused = 50;
const maxConnections = 512;

const socketName = "network";

/** Starts a proxy on a socket in `folder`. It does not keep the process alive. */
export async function openProxy(folder: string, rules: ProxyRules): Promise<CageProxy> {
  const refused = new Set<string>();
  const refuse = (shown: string) => {
    if (refused.size < maxRefused) refused.add(shown);
    return refusalText(shown);
  };
  const routes = new Map(rules.routes.map((route) => [route.name, openRoute(route, rules.env)]));
  const server = createServer((asked, response) =>
    serve(asked, response, { rules, routes, refuse }),
  );
  server.on("connect", (asked: IncomingMessage, client: Duplex, head: Buffer) => {
    connectClient({ asked, client, head }, { rules, refuse }).catch(() => client.destroy());
  });
  server.maxConnections = maxConnections;
  server.requestTimeout = 0;
  const descriptor = openSync(folder, "r");
  await listen(server, descriptor);
  return {
    socket: `${folder}/${socketName}`,
    refused: () => [...refused],
    [Symbol.asyncDispose]: async () => {
      for (const route of routes.values()) route[Symbol.dispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      closeSync(descriptor);
    },
  };
}

/** Bound below the folder's descriptor: the path of a socket may have 107 bytes only, and stores lie deep. */
async function listen(server: Server, descriptor: number): Promise<void> {
  server.listen(`/proc/self/fd/${descriptor}/${socketName}`);
  await once(server, "listening");
  server.unref();
}

function refusalText(shown: string): string {
  const [target = "", address] = shown.split(" at ");
  if (address === undefined)
    return `ralph: ${target} is outside of this sandbox's network; \`sandbox.network.allow\` in .ralph/ralph.yml lists the allowed hosts.`;
  const host = target.replace(/:(?:80|443)$/, "");
  return `ralph: ${target} is at ${address}, which is not a public address; \`sandbox: { network: { allow: ["${host}"] } }\` in .ralph/ralph.yml, the host in full, would allow it.`;
}

type Context = {
  rules: ProxyRules;
  routes: ReadonlyMap<string, RouteCarrier>;
  /** Notes a refused target; answers the text for the program. */
  refuse: (shown: string) => string;
};

/** A name a program chose, safe to show. */
const shownName = (text: string) => text.replace(/[^\w.:[\]-]/g, "?").slice(0, 100);

type Client = { asked: IncomingMessage; client: Duplex; head: Buffer };

async function connectClient(
  { asked, client, head }: Client,
  { rules, refuse }: Omit<Context, "routes">,
): Promise<void> {
  client.on("error", () => client.destroy());
  const target = parseTarget(asked.url ?? "");
  const forbid = (shown: string) =>
    client.end(`HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\n\r\n${refuse(shown)}\n`);
  if (!target) {
    forbid(shownName(asked.url ?? ""));
    return;
  }
  try {
    const checked = await checkTarget(target, { rules, scheme: "https" });
    if (typeof checked === "string") {
      forbid(checked);
      return;
    }
    const outside = await connectTo(checked, rules.env);
    outside.on("error", () => client.destroy());
    outside.on("close", () => client.destroy());
    client.on("close", () => outside.destroy());
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    outside.write(head);
    outside.pipe(client).pipe(outside);
  } catch (error) {
    client.end(
      `HTTP/1.1 502 Bad Gateway\r\n\r\nralph: ${authorityOf(target)}: ${reasonOf(error)}\n`,
    );
  }
}

/**
 * The target with the addresses it may be reached at, or what is refused. Its name is resolved once, and the connection
 * goes to nothing else. What the machine's own proxy resolves cannot be checked here, unless it is an address. Throws where
 * the name has no address.
 */
async function checkTarget(
  target: Destination,
  { rules, scheme }: { rules: ProxyRules; scheme: "http" | "https" },
): Promise<CheckedTarget | string> {
  const reach = rules.reachOf(target);
  if (reach === "none") return authorityOf(target);
  const isElsewhere = outerProxyFor(rules.env, target, scheme) && !isIP(target.host);
  if (isElsewhere) return target;
  const found = await rules.resolve(target.host);
  const own = reach === "any" ? [] : ownAddresses();
  const addresses = found.filter(({ address }) => reach === "any" || isPublicAddress(address, own));
  const [first] = found;
  return first && addresses.length === 0
    ? `${authorityOf(target)} at ${first.address}`
    : { ...target, addresses };
}

/** A path is a route to a model; a whole address is a request for another host, as `http_proxy` sends it. */
function serve(asked: IncomingMessage, response: ServerResponse, context: Context): void {
  response.on("error", () => undefined);
  const [, name = "", rest = ""] = /^\/([\w-]+)(.*)$/s.exec(asked.url ?? "") ?? [];
  const route = context.routes.get(name);
  if (route) route.carry(asked, response, rest);
  else forward(asked, response, context).catch(() => response.destroy());
}

async function forward(
  asked: IncomingMessage,
  response: ServerResponse,
  { rules, refuse }: Context,
): Promise<void> {
  const wanted = parseWholeAddress(asked.url ?? "");
  if (!wanted) {
    answer(response, 403, refuse(shownName(asked.url ?? "")));
    return;
  }
  try {
    const target = await checkTarget(wanted.target, { rules, scheme: "http" });
    if (typeof target === "string") answer(response, 403, refuse(target));
    else if (!response.destroyed)
      forwardRequest(asked, response, { ...wanted, target, env: rules.env });
  } catch (error) {
    answer(response, 502, `ralph: ${wanted.url.host}: ${reasonOf(error)}`);
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
