import { createHash } from "node:crypto";

/** The same UUID for the same parts, so that two requests for the same thing become one job (F42). */
export function jobId(...parts: readonly (string | number)[]): string {
  const hex = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  // Version 8 of RFC 9562: custom bits.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
