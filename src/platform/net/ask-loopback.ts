import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Connect } from "./port-link.ts";

/** One HTTP request to a port of this machine. */
export interface LoopbackRequest {
  port: number;
  /** With the query. */
  path: string;
  method?: string;
  /** Sent as JSON. */
  body?: string | undefined;
  /** For the whole exchange, milliseconds. */
  timeoutMs: number;
  /** Makes the connection to a port inside a network cage. */
  connect?: Connect | undefined;
  /** Most bytes of the answer's body that are read; the exchange ends there. */
  maxBytes: number;
}

export type LoopbackAnswer =
  | { kind: "answered"; status: number; body: Buffer; location?: string | undefined }
  | { kind: "failed"; code: string; message: string };

/** Both loopback addresses: a server may listen on one of them only. */
const addresses = ["127.0.0.1", "::1"];

/** Nobody listens on the address, or the machine has none of its kind. */
const absent = ["ECONNREFUSED", "EADDRNOTAVAIL", "ENETUNREACH"];

/** Sends one request, follows no redirect, and keeps no connection open. Never throws. */
export async function askLoopback(asked: LoopbackRequest): Promise<LoopbackAnswer> {
  // Loaded by the first request: most sessions have no service, and it takes long.
  const { request } = await import("node:http");
  if (asked.connect) return askHost(request, asked, "localhost");
  let last: LoopbackAnswer = { kind: "failed", code: "ECONNREFUSED", message: "no address" };
  for (const host of addresses) {
    last = await askHost(request, asked, host);
    const isElsewhere = last.kind === "failed" && absent.includes(last.code);
    if (!isElsewhere) return last;
  }
  return last;
}

function askHost(
  request: typeof import("node:http").request,
  asked: LoopbackRequest,
  host: string,
): Promise<LoopbackAnswer> {
  const { promise, resolve } = Promise.withResolvers<LoopbackAnswer>();
  const { port, path, method = "GET", body, timeoutMs, connect } = asked;
  const over = new AbortController();
  const headers = {
    host: `localhost:${port}`,
    ...(body !== undefined && {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    }),
  };
  const fail = (error: NodeJS.ErrnoException) =>
    resolve({ kind: "failed", code: error.code ?? "EUNKNOWN", message: error.message });
  try {
    const made = connect && {
      createConnection: (_: unknown, done: (error: Error | null, socket: Socket) => void) => {
        connect(over.signal).then((socket) => done(null, socket), fail);
        return undefined;
      },
    };
    const sent = request({ host, port, path, method, headers, ...(made ?? { agent: false }) });
    const timer = setTimeout(() => {
      fail(
        Object.assign(new Error(`no answer after ${timeoutMs / 1000} s`), { code: "ETIMEDOUT" }),
      );
      sent.destroy();
    }, timeoutMs);
    sent.on("error", fail);
    sent.on("response", (response) => {
      readBody(response, asked.maxBytes).then((bytes) => resolve(answerOf(response, bytes)), fail);
    });
    void promise.finally(() => {
      clearTimeout(timer);
      over.abort(new Error("nobody waits for it"));
    });
    sent.end(body);
  } catch (error) {
    // A path with characters that no request line may hold.
    fail(error as NodeJS.ErrnoException);
  }
  return promise;
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, maxBytes - size));
    size += chunk.length;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks);
}

const answerOf = (response: IncomingMessage, body: Buffer): LoopbackAnswer => ({
  kind: "answered",
  status: response.statusCode ?? 0,
  body,
  location: response.headers.location,
});
