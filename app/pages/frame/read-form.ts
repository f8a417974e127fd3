import type { IncomingMessage } from "node:http";
import { createBodyReader } from "../../webhooks/read-body.ts";

/** The App's forms send only a few short fields. */
const limits = { maxBytes: 4096, heldBytes: 1024 * 1024 };

export type ReadForm = (request: IncomingMessage) => Promise<URLSearchParams>;

/** Reads forms. One that is too large, or of another content type, counts as empty, so it has no token. */
export function createFormReader(): ReadForm {
  const readBody = createBodyReader(limits);
  return async (request) => {
    const [type = ""] = (request.headers["content-type"] ?? "").split(";", 1);
    if (type.trim() !== "application/x-www-form-urlencoded") return new URLSearchParams();
    const body = await readBody(request);
    if (body.kind !== "read") return new URLSearchParams();
    const text = Buffer.concat(body.pieces).toString();
    body.free();
    return new URLSearchParams(text);
  };
}
