import type { IncomingMessage } from "node:http";

/** `busy`: others are sending as much as we want to hold at a time. */
export type Body = { kind: "read"; bytes: Buffer } | { kind: "too-large" | "busy" | "broken" };

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
  return async (request: IncomingMessage): Promise<Body> => {
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
): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const kind = judge(chunk);
    if (kind) return { kind };
    chunks.push(chunk);
  }
  return { kind: "read", bytes: Buffer.concat(chunks) };
}
