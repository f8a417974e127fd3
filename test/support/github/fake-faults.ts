import type { Reply, Seen } from "./server.ts";

/** Before: nothing has happened. After: it has, and nobody is told. */
export const faultKinds = [
  "5xx-before",
  "5xx-after",
  "reset-before",
  "reset-after",
  "hang-before",
  "hang-after",
  "secondary-limit",
  "primary-limit",
  "422",
  "401",
  "stale-read",
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Which fault meets a request; undefined: none. */
export type FaultScript = (seen: Seen, count: number) => FaultKind | undefined;

/** A fault for that share of all requests, always the same for the same seed. */
export function randomFaults(seed: number, share: number): FaultScript {
  const random = createRandom(seed);
  return () => {
    const isHit = random() < share;
    const kind = faultKinds[Math.floor(random() * faultKinds.length)];
    return isHit ? kind : undefined;
  };
}

/** Numbers from 0 to 1, always the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** What a fault answers instead. */
export function faultReply(kind: Exclude<FaultKind, "stale-read">, now: number): Reply {
  switch (kind) {
    case "5xx-before":
    case "5xx-after":
      return { status: 502, body: { message: "Server Error" } };
    case "reset-before":
    case "reset-after":
      return { broken: "reset" };
    case "hang-before":
    case "hang-after":
      return { broken: "hang" };
    case "secondary-limit":
      return {
        status: 403,
        headers: { "retry-after": "7" },
        body: { message: "You have exceeded a secondary rate limit." },
      };
    case "primary-limit": {
      const reset = String(Math.ceil(now / 1000) + 20);
      return {
        status: 429,
        headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset },
        body: { message: "API rate limit exceeded for installation." },
      };
    }
    case "422":
      return { status: 422, body: { message: "Validation Failed", errors: [{ code: "custom" }] } };
    case "401":
      return { status: 401, body: { message: "Bad credentials" } };
  }
}

export const isAfterEffect = (kind: FaultKind) => kind.endsWith("-after");
