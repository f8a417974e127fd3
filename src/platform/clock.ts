import type { Clock } from "./system.ts";

/** The longest timer, about 24.8 days; a larger value would fire at once. */
export const longestTimerMs = 2 ** 31 - 1;

export const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => {
    if (ms <= 0 || signal?.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.min(ms, longestTimerMs));
    const wake = () => resolve();
    signal?.addEventListener("abort", wake, { once: true });
    await promise;
    clearTimeout(timer);
    signal?.removeEventListener("abort", wake);
  },
};

/** Resolves when it is the turn of `id`. */
export type Pace = (id: string) => Promise<void>;

/** A token bucket per id: `burst` turns at once, then one per interval; unused turns return at that rate. */
export function createPace(
  { burst, intervalMs }: { burst: number; intervalMs: number },
  { monotonic, sleep }: Pick<Clock, "monotonic" | "sleep"> = clock,
): Pace {
  /** The time at which all turns of an id are free again. */
  const freeAt = new Map<string, number>();
  return async (id) => {
    // A wall clock that is set back would stop all turns for as long.
    const now = monotonic();
    const next = Math.max(now, freeAt.get(id) ?? 0) + intervalMs;
    freeAt.set(id, next);
    const waitMs = next - now - burst * intervalMs;
    if (waitMs > 0) await sleep(waitMs);
  };
}
