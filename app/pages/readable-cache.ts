import type { Clock } from "../../src/platform/system.ts";
import { listReadable, type ReadableResult } from "./list-readable.ts";
import type { LoginSession } from "./login/login-sessions.ts";

export interface ReadableParts {
  apiUrl: string;
  clock: Pick<Clock, "now">;
}

/** A revoked permission may count this much longer. */
const keptMs = 60_000;
const maxPeople = 200;

/** The repositories a person can read, by their own token; cached for a minute. */
export function createReadableCache({ apiUrl, clock }: ReadableParts) {
  const known = new Map<string, { until: number; result: Promise<ReadableResult> }>();
  return ({ key, token }: LoginSession): Promise<ReadableResult> => {
    const held = known.get(key);
    if (held && held.until > clock.now()) return held.result;
    known.delete(key);
    const [oldest] = known.keys();
    if (known.size >= maxPeople && oldest !== undefined) known.delete(oldest);
    const result = listReadable({ apiUrl, token });
    known.set(key, { until: clock.now() + keptMs, result });
    result.then(({ kind }) => kind === "known" || known.delete(key));
    return result;
  };
}

export type FindReadable = ReturnType<typeof createReadableCache>;
