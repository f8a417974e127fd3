import type { Reply, Seen } from "./server.ts";

type Asked = { at: number; points: number; isWrite: boolean };

const minuteMs = 60_000;
/** Writes that may come at once; then one a second, but for what the way to GitHub may take off. */
const burst = 8;
const pauseMs = 900;

/** GitHub's documented limits (F50); it tells what was broken instead of answering 403. */
export function createLimits() {
  const asked: Asked[] = [];
  const violations: string[] = [];
  let closedUntil = 0;
  let left = burst;
  let filledAt = 0;
  const within = (now: number, ms: number) => asked.filter(({ at }) => at > now - ms);
  return {
    violations: violations as readonly string[],
    /** Before a request is answered. */
    look({ method, path, body }: Seen, now: number): void {
      const isQuery = path.endsWith("/graphql") && !JSON.stringify(body).includes("mutation");
      const isWrite = method !== "GET" && !isQuery;
      if (now < closedUntil) violations.push(`${method} ${path} before a limit had ended`);
      left = Math.min(burst, left + (now - filledAt) / pauseMs);
      filledAt = now;
      if (isWrite && --left < 0) violations.push(`${method} ${path} too soon after other writes`);
      asked.push({ at: now, points: isWrite ? 5 : 1, isWrite });
      violations.push(...exceeded(within(now, minuteMs), within(now, 60 * minuteMs)));
    },
    /** After: what a refusal asks for. */
    remember({ headers = {} }: Reply, now: number): void {
      const pause = Number(headers["retry-after"] ?? 0) * 1000;
      const isUsedUp = headers["x-ratelimit-remaining"] === "0";
      const reset = isUsedUp ? Number(headers["x-ratelimit-reset"]) * 1000 : 0;
      closedUntil = Math.max(closedUntil, pause && now + pause, reset);
    },
  };
}

function exceeded(minute: readonly Asked[], hour: readonly Asked[]): string[] {
  const writes = (asked: readonly Asked[]) => asked.filter(({ isWrite }) => isWrite).length;
  const points = minute.reduce((sum, each) => sum + each.points, 0);
  return [
    ...(writes(minute) > 80 ? [`${writes(minute)} writes in a minute`] : []),
    ...(points > 900 ? [`${points} points in a minute`] : []),
    ...(writes(hour) > 500 ? [`${writes(hour)} writes in an hour`] : []),
    ...(hour.length > 1000 ? [`${hour.length} requests in an hour`] : []),
  ];
}
