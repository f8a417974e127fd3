import { createHash } from "node:crypto";

/** A UUID that is always the same for the same words: what means the same is one job (F42). */
export function jobId(...words: readonly (string | number)[]): string {
  const hex = createHash("sha256").update(JSON.stringify(words)).digest("hex");
  // Version 8 of RFC 9562: bits of our own.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
