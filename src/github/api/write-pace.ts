import { createPace, type Pace } from "../../platform/pace.ts";
import type { Clock } from "../../platform/system.ts";

/** Writes that may follow each other at once; after them one a second. */
export const writeBurst = 8;

/**
 * GitHub asks whoever writes much to leave a second between two requests, and allows 80 a minute (F50). What a run writes
 * at one time is not much, so a handful goes at once and the rest at that pace; counted for each repository (decision 11).
 */
export const createWritePace = (clock?: Pick<Clock, "now" | "sleep">): Pace =>
  createPace({ burst: writeBurst, intervalMs: 1000 }, clock);

/** That of everybody in this process who brings none. */
export const ownWritePace = createWritePace();

/** A pace in the form of what the throttling library waits for before a write. */
export const groupOf = (takeTurn: Pace) => ({
  key: (id: string) => ({
    schedule: async <Result>(_: object, act: () => Promise<Result>): Promise<Result> => {
      await takeTurn(id);
      return act();
    },
  }),
});
