import { once } from "node:events";
import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { connect as connectSocket, isIP, type Socket } from "node:net";
import type { Environment } from "../system.ts";
import { type Address, pinned } from "./addresses.ts";
import { type Destination, type OuterProxy, outerProxyFor } from "./outer-proxy.ts";

/** Longest wait for a connection. */
const timeoutMs = 30_000;

/** A host with the addresses that were checked; without them the name is resolved at the connection. */
export interface CheckedTarget extends Destination {
  readonly addresses?: readonly Address[] | undefined;
}

/** Connects to a host over IPv4 or IPv6, through the machine's own proxy where it has one. Throws when that fails. */
export async function connectTo(target: CheckedTarget, env: Environment): Promise<Socket> {
  const outer = outerProxyFor(env, target, "https");
  if (outer) return await connectThrough(outer, target);
  const { host, port, addresses } = target;
  const socket = connectSocket({ host, port, ...(addresses && { lookup: pinned(addresses) }) });
  socket.setNoDelay(true);
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(timeoutMs) });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function connectThrough(outer: OuterProxy, target: Destination): Promise<Socket> {
  const authority = authorityOf(target);
  const send = outer.isSecure ? requestSecure : requestPlain;
  const asked = send({
    // The shared agent may be set to use this same proxy.
    ...{ agent: false, host: outer.host, port: outer.port, method: "CONNECT", path: authority },
    servername: serverName(outer.host),
    headers: {
      host: authority,
      ...(outer.authorization && { "proxy-authorization": outer.authorization }),
    },
  });
  asked.setTimeout(timeoutMs, () => asked.destroy(new Error(`no answer of ${outer.host}`)));
  asked.end();
  const [answer, socket, early] = await once(asked, "connect");
  socket.setTimeout(0);
  // A server that speaks first may have done so already.
  socket.unshift(early);
  if (answer.statusCode === 200) return socket;
  socket.destroy();
  throw new Error(`the machine's proxy ${outer.host} answered ${answer.statusCode}`);
}

/** `host:port` as a request line and a Host header write it. Pure. */
export const authorityOf = ({ host, port }: Destination): string =>
  `${host.includes(":") ? `[${host}]` : host}:${port}`;

/** The name a certificate must have; without it Node takes that of the Host header, which is not the proxy's. Pure. */
export const serverName = (host: string): string => (isIP(host) ? "" : host);
