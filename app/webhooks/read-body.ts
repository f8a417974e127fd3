import type { IncomingMessage } from "node:http";

/** `busy`: other requests use up the memory limit. The reader of `pieces` must call `free`. */
export type RequestBody =
  | { kind: "read"; pieces: readonly Buffer[]; free: () => void }
  | { kind: "too-large" | "busy" | "broken" };

export interface BodyLimits {
  /** Limit of one body; GitHub sends at most 25 MB. */
  maxBytes: number;
  /** Limit of all bodies being read. */
  heldBytes: number;
}

/**
 * Reads untrusted bodies within a limit for each and a limit for all (V7, F46). A too large body is refused by its
 * announced length, else as soon as it exceeds the limit.
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

/** Keeps the connection of a refused body open for the answer. */
async function collect(
  request: IncomingMessage,
  judge: (chunk: Buffer) => "too-large" | "busy" | undefined,
): Promise<RequestBody> {
  const store = createPieces();
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const kind = judge(chunk);
      if (!kind) store.push(chunk);
      release(chunk);
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

/** Most bodies fit into the first piece. */
const pieceBytes = { first: 32 * 1024, more: 1024 * 1024 };

/** Copies untrusted bytes into buffers that are freed at once; until a garbage collection they would pile up. */
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

/** Each chunk belongs to this reader alone. */
function release({ buffer, byteLength }: Buffer): void {
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  if (isWhole) buffer.transfer(0);
}
