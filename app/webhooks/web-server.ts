import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { webhookPath } from "../settings/settings.ts";
import {
  type DeliveryAnswer,
  type DeliveryHeaders,
  type DeliveryParts,
  readDeliveryHeaders,
  receiveDelivery,
} from "./receive-delivery.ts";
import { findPage, type PageAnswer, type Route, type Stream } from "./route.ts";

export interface WebServerParts {
  reception: DeliveryParts;
  pages: readonly Route[];
  /** For a path without a page. */
  missing: PageAnswer;
  /** Browsers must use https from now on. */
  isSecure: boolean;
  /** Aborted when the App stops: streams end then. */
  stopping: AbortSignal;
  /** Called with internal errors, never with errors of a request. */
  report: (error: unknown) => void;
  /** Called with every answer to a delivery, its id and its event as far as the headers have them. */
  onDelivery: (receipt: DeliveryAnswer & DeliveryHeaders) => void;
}

/** GitHub itself allows ten seconds for a whole delivery. */
const requestMs = 10_000;
const headersMs = 5000;
const maxConnections = 1000;

/** The only network entry point: deliveries, health and pages, each with its limits (F46, G13). */
export function createWebServer(parts: WebServerParts): Server {
  const server = createServer(
    {
      requestTimeout: requestMs,
      headersTimeout: headersMs,
      connectionsCheckingInterval: 1000,
      keepAliveTimeout: 5000,
    },
    (request, response) => {
      const exchange = { request, response };
      answer(parts, exchange).catch((error: unknown) => {
        parts.report(error);
        const body = "temporarily unavailable; try again\n";
        send(exchange, { status: 503, type: "text/plain", body });
      });
    },
  );
  server.maxConnections = maxConnections;
  return server;
}

type Exchange = { request: IncomingMessage; response: ServerResponse };

async function answer(parts: WebServerParts, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const [path = ""] = (request.url ?? "").split("?", 1);
  if (path === webhookPath) return answerDelivery(parts, exchange);
  const page = findPage(parts.pages, { request, path });
  const answered = page ? await page() : parts.missing;
  const secure = parts.isSecure ? { "strict-transport-security": "max-age=31536000" } : {};
  const whole = { ...answered, headers: { ...answered.headers, ...secure } };
  if (whole.stream) await sendStream(parts, response, { ...whole, stream: whole.stream });
  else send(exchange, whole);
}

async function answerDelivery(parts: WebServerParts, exchange: Exchange): Promise<void> {
  const { request } = exchange;
  const { status, message } =
    request.method === "POST"
      ? await receiveDelivery(parts.reception, request)
      : { status: 405, message: "deliveries are posted" };
  parts.onDelivery({ status, message, ...readDeliveryHeaders(request) });
  send(exchange, { status, type: "text/plain", body: `${message}\n` });
}

/** Ends with the stream, with the connection, or when the App stops. */
async function sendStream(
  { stopping }: Pick<WebServerParts, "stopping">,
  response: ServerResponse,
  { status, type, body, headers, stream }: PageAnswer & { stream: Stream },
): Promise<void> {
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  const fixed = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  response.writeHead(status, { "content-type": `${type}; charset=utf-8`, ...fixed, ...headers });
  response.write(body);
  try {
    const signal = AbortSignal.any([closed.signal, stopping]);
    await stream((text) => void response.write(text), signal);
  } finally {
    response.end();
  }
}

/** After a refusal the sender may still be sending: some of it is read and dropped, the rest is not read. */
const lingerMs = 1000;
const lingerBytes = 256 * 1024;

function send({ request, response }: Exchange, { status, type, body, headers }: PageAnswer): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    "content-type": `${type}; charset=utf-8`,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    // Unread bytes must not be taken for the next request.
    ...(!request.complete && { connection: "close" }),
    ...headers,
  });
  if (request.complete) response.end(body);
  else linger({ request, response }, body);
}

/** Closing a connection before everything was read resets it, which may lose the answer. */
function linger({ request, response }: Exchange, body: string): void {
  response.write(body);
  const timer = setTimeout(() => response.end(), lingerMs);
  let left = lingerBytes;
  request.once("close", () => clearTimeout(timer)).once("end", () => response.end());
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.pause();
  });
}
