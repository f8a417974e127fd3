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
