import { readdirSync, readFileSync, readlinkSync } from "node:fs";

// Processes end at any moment, and those of other users are closed: neither is an error.

/** The names in a folder of `/proc`; empty when it is gone or inaccessible. */
export function readNames(folder: string): string[] {
  return orUndefined(() => readdirSync(folder)) ?? [];
}

/**
 * Undefined when it is gone or inaccessible. As UTF-8, which Node reads in one step: a search reads hundreds of these files,
 * and only ASCII is compared.
 */
export function readText(path: string): string | undefined {
  return orUndefined(() => readFileSync(path, "utf8"));
}

/** The target of a link; undefined when it is gone or inaccessible. */
export function readLink(path: string): string | undefined {
  return orUndefined(() => readlinkSync(path));
}

function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
