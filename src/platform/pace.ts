import { clock as ownClock } from "./clock.ts";
import type { Clock } from "./system.ts";

/** Resolves when it is the turn of `id`. */
export type Pace = (id: string) => Promise<void>;

/** A token bucket per id: `burst` turns at once, then one per interval; unused turns return at that rate. */
export function createPace(
  { burst, intervalMs }: { burst: number; intervalMs: number },
  clock: Pick<Clock, "monotonic" | "sleep"> = ownClock,
): Pace {
  /** The time at which all turns of an id are free again. */
  const freeAt = new Map<string, number>();
  return async (id) => {
    // A wall clock that is set back would stop all turns for as long.
    const now = clock.monotonic();
    const next = Math.max(now, freeAt.get(id) ?? 0) + intervalMs;
    freeAt.set(id, next);
    const waitMs = next - now - burst * intervalMs;
    if (waitMs > 0) await clock.sleep(waitMs);
  };
}
