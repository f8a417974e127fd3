import { createPace, type Pace } from "../../platform/clock.ts";
import type { Clock } from "../../platform/system.ts";

/** Writes that may follow each other at once; later ones wait a second each. */
export const writeBurst = 8;

/**
 * GitHub asks clients to leave a second between writes and allows 80 a minute (F50). A run writes little at a time, so the
 * first few go at once and the rest at that pace, counted for each repository (decision 11).
 */
export const createWritePace = (clock?: Pick<Clock, "monotonic" | "sleep">): Pace =>
  createPace({ burst: writeBurst, intervalMs: 1000 }, clock);

/** The default pace, shared by all clients of this process. */
export const ownWritePace = createWritePace();

/** Adapts a pace to the group the throttling library waits for before a write. */
export const groupOf = (takeTurn: Pace) => ({
  key: (id: string) => ({
    schedule: async <Result>(_: object, act: () => Promise<Result>): Promise<Result> => {
      await takeTurn(id);
      return act();
    },
  }),
});
