import type { IncomingMessage } from "node:http";

/** `busy`: others are sending as much as we want to hold at a time. Whoever has read the pieces frees them. */
export type RequestBody =
  | { kind: "read"; pieces: readonly Buffer[]; free: () => void }
  | { kind: "too-large" | "busy" | "broken" };

export interface BodyLimits {
  /** Of one body. GitHub sends at most 25 MB. */
  maxBytes: number;
  /** Of all bodies that are being read. */
  heldBytes: number;
}

/**
 * Reads bodies nobody has vouched for yet: each up to a size, and all of them together no more than we can hold (V7, F46).
 * What is too large is refused by its announced length, else as soon as it is seen.
 */
export function createBodyReader({ maxBytes, heldBytes }: BodyLimits) {
  let held = 0;
  return async (request: IncomingMessage): Promise<RequestBody> => {
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) return { kind: "too-large" };
    let size = 0;
    const judge = (chunk: Buffer) => {
      size += chunk.length;
      held += chunk.length;
      if (size > maxBytes) return "too-large";
      return held > heldBytes ? "busy" : undefined;
    };
    try {
      return await collect(request, judge);
    } catch {
      return { kind: "broken" };
    } finally {
      held -= size;
    }
  };
}

/** The connection outlives a body that is refused, so that the refusal can be sent. */
async function collect(
  request: IncomingMessage,
  judge: (chunk: Buffer) => "too-large" | "busy" | undefined,
): Promise<RequestBody> {
  const store = createPieces();
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const kind = judge(chunk);
      if (!kind) store.push(chunk);
      giveBack(chunk);
      if (!kind) continue;
      store.free();
      return { kind };
    }
    return { kind: "read", pieces: store.pieces, free: store.free };
  } catch (error) {
    store.free();
    throw error;
  }
}

/** The first piece holds what most bodies are. */
const pieceBytes = { first: 32 * 1024, more: 1024 * 1024 };

/** What anybody may send is held once, and freed when we say so: until a garbage collection it would pile up. */
function createPieces() {
  const rooms: ArrayBuffer[] = [];
  const pieces: Buffer[] = [];
  const push = (chunk: Buffer): void => {
    const room = rooms.at(-1);
    const used = pieces.at(-1)?.length ?? 0;
    const taken = Math.min(chunk.length, (room?.byteLength ?? 0) - used);
    if (room && taken > 0) {
      pieces[pieces.length - 1] = Buffer.from(room, 0, used + taken);
      chunk.copy(Buffer.from(room), used, 0, taken);
    }
    if (taken === chunk.length) return;
    rooms.push(new ArrayBuffer(room ? pieceBytes.more : pieceBytes.first));
    pieces.push(Buffer.alloc(0));
    push(chunk.subarray(taken));
  };
  const free = () => {
    for (const room of rooms) room.transfer(0);
  };
  return { push, pieces, free };
}

/** The server makes each chunk for us alone. */
function giveBack({ buffer, byteLength }: Buffer): void {
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  if (isWhole) buffer.transfer(0);
}
