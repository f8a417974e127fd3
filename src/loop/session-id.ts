import type { System } from "../system/system.ts";

/** `YYYYMMDD-HHMMSS-<6 hex>` in UTC (specs 004 4.4). */
export function newSessionId({ clock, randomHex }: Pick<System, "clock" | "randomHex">): string {
  const stamp = new Date(clock.now()).toISOString().replace(/[-:]/g, "");
  return `${stamp.slice(0, 8)}-${stamp.slice(9, 15)}-${randomHex(3)}`;
}

/**
 * The session's token: the id's suffix extended to 128 bits and more (compatibility 1.1, T48). A resumed session
 * gets a new one, so that nothing said before can complete anything now.
 */
export function newToken(sessionId: string, { randomHex }: Pick<System, "randomHex">): string {
  return `ralph-${sessionId}${randomHex(16)}`;
}
