import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { webhookPath } from "../../../app/settings/settings.ts";
import type { StoredJob } from "../../../app/store/queue.ts";
import { createBodyReader } from "../../../app/webhooks/read-body.ts";
import { createVerifier } from "../../../app/webhooks/receive-delivery.ts";
import { createWebServer, type WebServerParts } from "../../../app/webhooks/web-server.ts";
import { deliver, sign, webhookSecret } from "../../support/app/deliveries.ts";

const plain = (body: string) => ({ status: 200, type: "text/plain", body });

async function startFront(change: Partial<WebServerParts["reception"]> = {}) {
  const kept: StoredJob[] = [];
  const reported: unknown[] = [];
  const server = createWebServer({
    missing: { status: 404, type: "text/plain", body: "not found\n" },
    isSecure: false,
    stopping: new AbortController().signal,
    reception: {
      readBody: createBodyReader({ maxBytes: 100_000, heldBytes: 1_000_000 }),
      verify: createVerifier(webhookSecret),
      keep: async (job) => void kept.push(job),
      events: new Set(["issues"]),
      ...change,
    },
    pages: [
      { method: "GET", path: "/healthz", page: async () => plain("well") },
      {
        method: "GET",
        path: "/runs/*",
        page: async ({ parts, query }) => plain(`${parts} ${query.get("x")}`),
      },
      { method: "POST", path: "/queue/retry", page: async () => plain("unread") },
    ],
    report: (error) => reported.push(error),
    onDelivery: () => undefined,
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return { url, port, hook: `${url}${webhookPath}`, kept, reported };
}

const body = JSON.stringify({ action: "labeled", repository: { id: 7 } });

test("a signed delivery is stored under its own id before it is acknowledged", async () => {
  const { hook, kept } = await startFront();
  const id = randomUUID().toUpperCase();
  expect(await deliver(hook, { id, body })).toEqual({ status: 202, text: "stored\n" });
  expect(kept).toEqual([
    {
      id: id.toLowerCase(),
      kind: "delivery",
      group: "deliveries:7",
      data: { event: "issues", payload: JSON.parse(body) },
    },
  ]);
});

test("an event without a rule is acknowledged and dropped", async () => {
  const { hook, kept } = await startFront();
  expect(await deliver(hook, { event: "star", body })).toMatchObject({ status: 202 });
  expect(kept).toEqual([]);
});

const refusals: [string, number, Parameters<typeof deliver>[1]][] = [
  ["a wrong signature", 401, { body, signature: sign(body, "another secret altogether") }],
  ["a signature of another body", 401, { body, signature: sign(`${body} `) }],
  ["the older kind of signature", 400, { body, signature: `sha1=${"0".repeat(40)}` }],
  ["a signature in capitals", 400, { body, signature: sign(body).toUpperCase() }],
  ["an empty signature", 400, { body, signature: "" }],
  ["two signatures", 400, { body, signature: `${sign(body)}, ${sign(body)}` }],
  ["no event", 400, { body, event: "" }],
  ["an odd event", 400, { body, event: "issues;drop" }],
  ["an invalid id", 400, { body, id: "42" }],
  ["an empty body", 401, { body: "" }],
  ["a body that is not JSON", 400, { body: "{" }],
  ["a list", 400, { body: "[1]" }],
  ["null", 400, { body: "null" }],
  ["bytes that are not text", 400, { body: Buffer.from([0x7b, 0xff, 0x7d]) }],
  ["a body that is too large", 413, { body: `"${"x".repeat(100_000)}"` }],
  ["another method", 405, { body, method: "PUT" }],
];

test.each(refusals)("%s is refused with %i", async (_, status, sent) => {
  const { hook, kept, reported } = await startFront();
  expect(await deliver(hook, sent)).toMatchObject({ status });
  expect(kept).toEqual([]);
  expect(reported).toEqual([]);
});

test("a body without a stated length is cut off at the limit", async () => {
  const { hook, kept } = await startFront();
  const large = "x".repeat(110_000);
  const headers = { "transfer-encoding": "chunked", "content-length": "" };
  const answer = await deliver(hook, { body: large, headers }).catch(({ code }) => code);
  // The connection may be cut before the answer is read.
  expect([413, "ECONNRESET", "EPIPE"]).toContain(answer.status ?? answer);
  expect(kept).toEqual([]);
});

test("all bodies in memory share a limit", async () => {
  const readBody = createBodyReader({ maxBytes: 100_000, heldBytes: 150_000 });
  const { hook, port } = await startFront({ readBody });
  const slow = connect(port, "127.0.0.1");
  onTestFinished(() => void slow.destroy());
  const head = `POST ${webhookPath} HTTP/1.1\r\nhost: x\r\ncontent-length: 99000\r\nx-github-event: issues\r\nx-github-delivery: ${randomUUID()}\r\nx-hub-signature-256: ${sign("")}\r\n\r\n`;
  slow.write(`${head}${"x".repeat(98_000)}`);
  await expect
    .poll(async () => (await deliver(hook, { body: `"${"y".repeat(90_000)}"` })).status)
    .toBe(503);
  slow.destroy();
  await expect.poll(async () => (await deliver(hook, { body })).status).toBe(202);
});

test("an unreachable store leads to a 503, so that the delivery counts as failed and can be redelivered", async () => {
  const { hook, reported } = await startFront({
    keep: () => Promise.reject(new Error("the database is away")),
  });
  expect(await deliver(hook, { body })).toMatchObject({ status: 503 });
  expect(reported).toMatchObject([{ message: "the database is away" }]);
});

test("every unknown path is a 404", async () => {
  const { url } = await startFront();
  expect(await fetch(`${url}/healthz?x=1`).then(({ status }) => status)).toBe(200);
  const missing = await fetch(`${url}/../etc/passwd`);
  expect(missing.status).toBe(404);
  expect(missing.headers.get("x-content-type-options")).toBe("nosniff");
});

const asked: [string, string, number, string][] = [
  ["GET", "/healthz", 200, "well"],
  ["HEAD", "/healthz", 200, ""],
  ["POST", "/healthz", 404, "not found\n"],
  ["GET", "/runs/7?x=1&x=2", 200, "7 1"],
  ["GET", "/runs/%2e%2e", 404, "not found\n"],
  ["GET", "/runs/7/8", 404, "not found\n"],
  ["GET", "/runs/", 404, "not found\n"],
  ["GET", "/queue/retry", 404, "not found\n"],
  ["POST", "/queue/retry", 200, "unread"],
];

test.each(asked)("%s %s is answered with %i", async (method, path, status, text) => {
  const { url } = await startFront();
  const answer = await fetch(`${url}${path}`, { method, ...(method === "POST" && { body: "x" }) });
  expect([answer.status, await answer.text()]).toEqual([status, text]);
});

test("the tests' secret would be accepted at the start", () => {
  expect(webhookSecret.length).toBeGreaterThanOrEqual(16);
});
