import { randomUUID } from "node:crypto";
import { connect, type Socket } from "node:net";
import { webhookPath } from "../../../app/settings/settings.ts";
import { deliver, sign } from "./deliveries.ts";

/** How much of what somebody hostile sends. */
export interface HostileGiven {
  /** Where the App is. */
  url: string;
  malformed: number;
  slowSockets: number;
  /** Of each unsigned body. */
  bodyBytes: number;
}

const megabyte = 1024 * 1024;
const atATime = 20;
const head = (more: string) => `POST ${webhookPath} HTTP/1.1\r\nhost: x\r\n${more}\r\n`;
const signedHead = (more: string) =>
  head(
    `x-github-event: issues\r\nx-github-delivery: ${randomUUID()}\r\nx-hub-signature-256: ${sign("")}\r\n${more}`,
  );

/** Requests no client makes; the App answers each, or hangs up. */
const malformed: readonly (() => string | Buffer)[] = [
  () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  () => "GET / HTTP/9.9\r\n\r\n",
  () => "GET  /  HTTP/1.1\r\n\r\n",
  () => "\r\n\r\n\r\n\0\0\0",
  () => `GET /${"a".repeat(40_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
  () => `GET / HTTP/1.1\r\nhost: x\r\nx: ${"y".repeat(40_000)}\r\n\r\n`,
  () => `GET / HTTP/1.1\r\nhost: x\r\n${"x: y\r\n".repeat(3000)}\r\n`,
  () => "GET /../../etc/passwd%00 HTTP/1.1\r\nhost: x\r\n\r\n",
  () => "GET http://[::1 HTTP/1.1\r\nhost: x\r\n\r\n",
  () => "GET /?%ff%fe&=&a=%zz HTTP/1.1\r\nhost: x\r\ncookie: =;;\0;session=%\r\n\r\n",
  () => "POST /logout HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\n\xff\xff\xff",
  () => head("content-length: -1\r\n"),
  () => head("content-length: 99999999999999999999\r\n"),
  () => head("content-length: 4\r\ncontent-length: 5\r\n"),
  () => `${head("content-length: 4\r\ntransfer-encoding: chunked\r\n")}zz\r\n`,
  () => `${head("transfer-encoding: chunked\r\n")}ffffffffffffffffff\r\nx`,
  () => `${signedHead("transfer-encoding: chunked\r\n")}-1\r\nx\r\n0\r\n\r\n`,
  () => `${signedHead("content-length: 4\r\n")}null`,
  () => `${signedHead("content-length: 2\r\nx-github-event: issues\r\n")}{}`,
  () => Buffer.from(`${signedHead("content-length: 3\r\n")}\xff\xfe\x00`, "latin1"),
];

/** What the App said to good deliveries meanwhile, milliseconds each; one that was refused ends the whole. */
export async function besiege(given: HostileGiven): Promise<{ goodMs: number[] }> {
  const sockets = Array.from({ length: given.slowSockets }, (_, index) => drip(given.url, index));
  let isOver = false;
  const good = measureGood(given.url, () => isOver);
  try {
    await sendMalformed(given);
    await sendLarge(given, `content-length: ${given.bodyBytes}\r\n`);
    await sendLarge(given, "transfer-encoding: chunked\r\n");
  } finally {
    isOver = true;
    for (const socket of sockets) socket.destroy();
  }
  return { goodMs: await good };
}

const open = (url: string): Socket => {
  const { hostname, port } = new URL(url);
  // Being cut off is what whoever is hostile must expect.
  return connect(Number(port), hostname).on("error", () => undefined);
};

/** A request that never ends: one byte after the other, of its head or of its body. */
function drip(url: string, index: number): Socket {
  const socket = open(url);
  const text = index % 2 === 0 ? head("x: ") : signedHead("content-length: 1000000\r\n");
  socket.write(text.slice(0, index % 2 === 0 ? -4 : undefined));
  const timer = setInterval(() => socket.write("y"), 500);
  return socket.resume().on("close", () => clearInterval(timer));
}

async function sendMalformed({ url, malformed: total }: HostileGiven): Promise<void> {
  let left = total;
  const send = async () => {
    while (left-- > 0) {
      const make = malformed[left % malformed.length];
      if (make) await sendOnce(url, make());
    }
  };
  await Promise.all(Array.from({ length: atATime }, send));
}

/** Until the App hangs up, has answered, or waits for more. */
function sendOnce(url: string, text: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = open(url).once("close", () => resolve());
    socket.setTimeout(200, () => socket.destroy());
    socket.once("data", () => socket.destroy());
    socket.write(text);
  });
}

/** Sends on whatever is answered, as long as somebody listens. */
async function sendLarge({ url, bodyBytes }: HostileGiven, header: string): Promise<void> {
  const socket = open(url).resume();
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.write(signedHead(header));
  const isChunked = header.startsWith("transfer");
  const piece = Buffer.alloc(megabyte / 4, "x");
  for (let sent = 0; sent < bodyBytes && !socket.destroyed; sent += piece.length) {
    if (isChunked) socket.write(`${piece.length.toString(16)}\r\n`);
    const isTaken = socket.write(piece);
    if (isChunked) socket.write("\r\n");
    if (!isTaken) await Promise.race([closed, drained(socket)]);
  }
  socket.end();
  await closed;
}

const drained = (socket: Socket) =>
  new Promise<void>((resolve) => socket.once("drain", () => resolve()));

/** A delivery of GitHub's every now and then. */
async function measureGood(url: string, isOver: () => boolean): Promise<number[]> {
  const all: number[] = [];
  const body = JSON.stringify({ action: "opened", installation: { id: 3 }, repository: { id: 7 } });
  do {
    const startedAt = performance.now();
    const { status, text } = await deliver(`${url}${webhookPath}`, { event: "star", body });
    if (status !== 202) throw new Error(`A good delivery was answered with ${status}: ${text}`);
    all.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, 20));
  } while (!isOver());
  return all;
}
