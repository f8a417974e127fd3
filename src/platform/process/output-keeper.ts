import { renderCut } from "../secrets/redact.ts";

/** Keeps the first and the last `limit` bytes of a stream and counts the rest, so memory stays bounded (F28). */
export interface OutputKeeper {
  push(chunk: Buffer): void;
  /** Head and tail as text, with a cut mark between them if something was omitted. */
  text(): string;
  /** Total bytes. */
  bytes(): number;
}

export function createOutputKeeper(limit: number): OutputKeeper {
  const head = createHead(limit);
  const tail = createTail(limit);
  return {
    push: (chunk) => tail.push(head.push(chunk)),
    bytes: () => head.bytes() + tail.seen(),
    text: () => {
      const [first, last] = [head.content(), tail.content()];
      const dropped = tail.seen() - last.length;
      if (dropped === 0) return Buffer.concat([first, last]).toString();
      return `${decodeHead(first)}${renderCut(dropped)}${decodeTail(last)}`;
    },
  };
}

/** Grows by doubling up to its limit; `push` returns what no longer fits. */
function createHead(limit: number) {
  let buffer: Buffer = Buffer.alloc(0);
  let length = 0;
  return {
    push: (chunk: Buffer): Buffer => {
      const taken = Math.min(chunk.length, limit - length);
      if (length + taken > buffer.length) buffer = grow(buffer, { limit, needed: length + taken });
      length += chunk.copy(buffer, length, 0, taken);
      return chunk.subarray(taken);
    },
    bytes: () => length,
    content: () => buffer.subarray(0, length),
  };
}

function grow(buffer: Buffer, { limit, needed }: { limit: number; needed: number }): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(needed, 2 * buffer.length)));
  buffer.copy(larger);
  return larger;
}

/** A ring buffer: byte n of the stream is at n modulo the size. */
function createTail(limit: number) {
  let ring: Buffer = Buffer.alloc(0);
  let seen = 0;
  const push = (chunk: Buffer): void => {
    if (chunk.length === 0) return;
    if (ring.length === 0) ring = Buffer.allocUnsafeSlow(limit);
    const kept = chunk.subarray(Math.max(0, chunk.length - limit));
    const start = (seen + chunk.length - kept.length) % limit;
    const untilEnd = kept.copy(ring, start);
    kept.copy(ring, 0, untilEnd);
    seen += chunk.length;
  };
  const content = (): Buffer => {
    if (seen <= limit) return ring.subarray(0, seen);
    const oldest = seen % limit;
    return Buffer.concat([ring.subarray(oldest), ring.subarray(0, oldest)]);
  };
  return { push, content, seen: () => seen };
}

/** Drops the beginning of a character whose end was cut off. */
const decodeHead = (bytes: Buffer): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true });

/** Drops the end of a character whose beginning was cut off (at most three continuation bytes). */
function decodeTail(bytes: Buffer): string {
  const start = bytes.subarray(0, 4).findIndex((byte) => (byte & 0b1100_0000) !== 0b1000_0000);
  return bytes.subarray(Math.max(0, start)).toString();
}
