import { clock as ownClock } from "./clock.ts";
import type { Clock } from "./system.ts";

/** Lets somebody go on when it is their turn. */
export type Pace = (id: string) => Promise<void>;

/** `burst` may go at once, then one in each interval; what was not used comes back at that rate, for each id alone. */
export function createPace(
  { burst, intervalMs }: { burst: number; intervalMs: number },
  clock: Pick<Clock, "now" | "sleep"> = ownClock,
): Pace {
  /** When all turns of an id are free again. */
  const freeAt = new Map<string, number>();
  return async (id) => {
    const now = clock.now();
    const next = Math.max(now, freeAt.get(id) ?? 0) + intervalMs;
    freeAt.set(id, next);
    const waitMs = next - now - burst * intervalMs;
    if (waitMs > 0) await clock.sleep(waitMs);
  };
}
