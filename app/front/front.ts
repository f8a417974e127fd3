import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Receipt, type Reception, receiveDelivery } from "./receive-delivery.ts";

/** Where GitHub sends its events; Probot's usual path. */
export const webhookPath = "/api/github/webhooks";

/** A page or figure for GET requests. */
export type Page = (request: IncomingMessage) => Promise<PageAnswer>;
export interface PageAnswer {
  status: number;
  type: string;
  body: string;
  headers?: Readonly<Record<string, string>>;
}

export interface FrontParts {
  reception: Reception;
  /** By path. */
  pages: ReadonlyMap<string, Page>;
  /** Hears what went wrong in us, never what was wrong with a request. */
  report: (error: unknown) => void;
  /** Hears every answer to a delivery. */
  counted: (receipt: Receipt) => void;
}

/** Whoever needs longer to send a request is not GitHub, which gives us ten seconds for everything. */
const requestMs = 10_000;
const headersMs = 5000;
const maxConnections = 1000;

/** The only door to the network: deliveries, health and pages, each with its limits (F46, G13). */
export function createFront(parts: FrontParts): Server {
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
        send(response, { status: 503, type: "text/plain", body: "not now; try again\n" });
      });
    },
  );
  server.maxConnections = maxConnections;
  return server;
}

async function answer(parts: FrontParts, request: IncomingMessage, response: ServerResponse) {
  const [path = ""] = (request.url ?? "").split("?", 1);
  if (path === webhookPath) {
    await answerDelivery(parts, request, response);
    return;
  }
  const page =
    request.method === "GET" || request.method === "HEAD" ? parts.pages.get(path) : undefined;
  send(response, page ? await page(request) : missing);
}

async function answerDelivery(
  parts: FrontParts,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const receipt =
    request.method === "POST"
      ? await receiveDelivery(parts.reception, request)
      : { status: 405, why: "deliveries are posted" };
  parts.counted(receipt);
  // What was not read must not be taken for the next request.
  if (!request.complete) response.setHeader("connection", "close");
  send(response, { status: receipt.status, type: "text/plain", body: `${receipt.why}\n` });
}

const missing: PageAnswer = { status: 404, type: "text/plain", body: "there is nothing here\n" };

function send(response: ServerResponse, { status, type, body, headers }: PageAnswer): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    "content-type": `${type}; charset=utf-8`,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...headers,
  });
  response.end(body);
}
