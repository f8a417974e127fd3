import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";

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
export function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = String(headers.connection ?? "")
    .toLowerCase()
    .split(/[\s,]+/);
  const dropped = new Set([...ownOfConnection, ...named]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
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
