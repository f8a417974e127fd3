import type { IncomingMessage } from "node:http";
import { createBodyReader } from "../../webhooks/read-body.ts";

/** What a form of ours sends: a name or two. */
const limits = { maxBytes: 4096, heldBytes: 1024 * 1024 };

export type ReadForm = (request: IncomingMessage) => Promise<URLSearchParams>;

/** Reads forms; one that is too large or of another kind is an empty one, which has no token. */
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
