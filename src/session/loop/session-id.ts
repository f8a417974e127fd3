import type { System } from "../../platform/system.ts";

/** `YYYYMMDD-HHMMSS-<6 hex>` in UTC (specs 004 4.4). Ids sort by time, also after `last` when the clock was set back (F17, F18). */
export function newSessionId(
  { clock, randomHex }: Pick<System, "clock" | "randomHex">,
  last?: string,
): string {
  const now = stampOf(clock.now());
  const isNew = last === undefined || now > last.slice(0, now.length);
  return `${isNew ? now : stampOf(timeOf(last) + 1000)}-${randomHex(3)}`;
}

function stampOf(ms: number): string {
  const digits = new Date(ms).toISOString().replace(/[-:]/g, "");
  return `${digits.slice(0, 8)}-${digits.slice(9, 15)}`;
}

function timeOf(id: string): number {
  return Date.parse(id.replace(/^(....)(..)(..)-(..)(..)(..).*$/, "$1-$2-$3T$4:$5:$6Z"));
}

/** A new token: the session's id and 128 bits (compatibility 1.1, T48). Each agent call has its own, which no other can use. */
export function newToken(sessionId: string, { randomHex }: Pick<System, "randomHex">): string {
  return `ralph-${sessionId}${randomHex(16)}`;
}
