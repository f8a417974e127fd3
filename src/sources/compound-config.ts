import { type CompoundConfig, checkCompound } from "../schema/tasks/foreign/compound.ts";
import { type AcceptedSource, acceptSource } from "./accept-source.ts";
import { parseJson } from "./parse-json.ts";
import type { Refusal } from "./source-error.ts";

const maxBytes = 64 * 1024;

/** Checks the bytes of a `compound.config.json`. One error lists all problems. */
export function parseCompoundConfig(
  bytes: Uint8Array,
  refusal: Refusal,
): AcceptedSource<CompoundConfig> {
  const parsed = parseJson({ bytes, file: refusal.file, maxBytes });
  return acceptSource(parsed, { check: checkCompound, refusal });
}
