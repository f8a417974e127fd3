import { createPace } from "../system/pace.ts";

/** Writes that may follow each other at once; after them one a second. */
export const writeBurst = 8;

const takeTurn = createPace({ burst: writeBurst, intervalMs: 1000 });

/**
 * GitHub asks whoever writes much to leave a second between two requests, and allows 80 a minute (F50). What a run writes
 * at one time is not much, so a handful goes at once and the rest at that pace; counted for each repository (decision 11).
 * In the form the throttling library takes.
 */
export const writePace = {
  key: (id: string) => ({
    schedule: async <Result>(_: object, act: () => Promise<Result>): Promise<Result> => {
      await takeTurn(id);
      return act();
    },
  }),
};
