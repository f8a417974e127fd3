import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { webhookPath } from "../settings/paths.ts";
import { type DeliveryAnswer, type DeliveryParts, receiveDelivery } from "./receive-delivery.ts";
import { findPage, type PageAnswer, type Route } from "./route.ts";

export interface WebServerParts {
  reception: DeliveryParts;
  pages: readonly Route[];
  /** Hears what went wrong in us, never what was wrong with a request. */
  report: (error: unknown) => void;
  /** Hears every answer to a delivery. */
  counted: (receipt: DeliveryAnswer) => void;
}

/** Whoever needs longer to send a request is not GitHub, which gives us ten seconds for everything. */
const requestMs = 10_000;
const headersMs = 5000;
const maxConnections = 1000;

/** The only door to the network: deliveries, health and pages, each with its limits (F46, G13). */
export function createWebServer(parts: WebServerParts): Server {
  const server = createServer(
    {
      requestTimeout: requestMs,
      headersTimeout: headersMs,
      connectionsCheckingInterval: 1000,
      keepAliveTimeout: 5000,
    },
    (request, response) => {
      answer(parts, request, response).catch((error: unknown) => {
        parts.report(error);
        const body = "not now; try again\n";
        send({ request, response }, { status: 503, type: "text/plain", body });
      });
    },
  );
  server.maxConnections = maxConnections;
  return server;
}

async function answer(parts: WebServerParts, request: IncomingMessage, response: ServerResponse) {
  const [path = ""] = (request.url ?? "").split("?", 1);
  if (path === webhookPath) {
    await answerDelivery(parts, request, response);
    return;
  }
  const page = findPage(parts.pages, { request, path });
  send({ request, response }, page ? await page() : missing);
}

async function answerDelivery(
  parts: WebServerParts,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const receipt =
    request.method === "POST"
      ? await receiveDelivery(parts.reception, request)
      : { status: 405, why: "deliveries are posted" };
  parts.counted(receipt);
  send(
    { request, response },
    { status: receipt.status, type: "text/plain", body: `${receipt.why}\n` },
  );
}

const missing: PageAnswer = { status: 404, type: "text/plain", body: "there is nothing here\n" };

/** Whoever is refused may still be sending; some of what they send meanwhile is dropped, the rest is not read. */
const lingerMs = 1000;
const lingerBytes = 256 * 1024;

type Exchange = { request: IncomingMessage; response: ServerResponse };

function send({ request, response }: Exchange, { status, type, body, headers }: PageAnswer): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    "content-type": `${type}; charset=utf-8`,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    // What was not read must not be taken for the next request.
    ...(!request.complete && { connection: "close" }),
    ...headers,
  });
  if (request.complete) response.end(body);
  else linger({ request, response }, body);
}

/** A connection that ends before everything was read is reset, and the answer may be lost with it. */
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
