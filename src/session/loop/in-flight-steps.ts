import type { Step } from "../../core/decide/step.ts";

/** Steps that run in parallel. */
export interface InFlightSteps {
  readonly steps: readonly Step[];
  start: (step: Step) => void;
  /** Resolves when one of them has ended; rejects with its error. */
  next: () => Promise<void>;
  /** Asks all of them to end, and resolves when they have; rejects with the error of one. */
  stop: () => Promise<void>;
}

/** `act` runs a step; `abort` asks all of them to end. */
export function createInFlight(
  act: (step: Step) => Promise<unknown>,
  abort: () => void,
): InFlightSteps {
  const running = new Map<Step, Promise<void>>();
  return {
    get steps() {
      return [...running.keys()];
    },
    start: (step) => {
      const carriedOut = act(step).then(() => void running.delete(step));
      running.set(step, carriedOut);
    },
    next: () => Promise.race(running.values()),
    stop: async () => {
      if (running.size > 0) abort();
      const ends = await Promise.allSettled(running.values());
      running.clear();
      const broken = ends.find(({ status }) => status === "rejected");
      if (broken?.status === "rejected") throw broken.reason;
    },
  };
}
