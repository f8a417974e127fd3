import * as z from "zod";

/** The longest time limit of a single command: a day, in seconds. */
export const longestSeconds = 86_400;

const secondsPer: Record<string, number> = { s: 1, m: 60, h: 3600 };

/** A duration, written as seconds or as `90s`, `30m`, `2h`, and always parsed to **seconds** (design 7). */
export function durationSchema({ min, max }: { min: number; max: number }) {
  const error = `must be a time from ${min} to ${max} seconds: whole seconds, or text such as "90s", "30m", "2h"`;
  return z
    .union([z.int().min(min, error).max(max, error), z.string().regex(/^\d{1,9}[smh]?$/, error)], {
      error,
    })
    .transform(toSeconds)
    .refine((seconds) => seconds >= min && seconds <= max, { error });
}

function toSeconds(written: number | string): number {
  if (typeof written === "number") return written;
  return Number.parseInt(written, 10) * (secondsPer[written.at(-1) ?? ""] ?? 1);
}
