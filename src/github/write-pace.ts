import Bottleneck from "bottleneck/light.js";

/** Writes that may follow each other at once; after them one a second. */
export const writeBurst = 8;

/**
 * GitHub asks whoever writes much to leave a second between two requests, and allows 80 a minute (F50). What a run writes
 * at one time is not much, so a handful goes at once and the rest at that pace; counted for each repository.
 */
export const writePace = new Bottleneck.Group({
  reservoir: writeBurst,
  reservoirIncreaseAmount: 1,
  reservoirIncreaseInterval: 1000,
  reservoirIncreaseMaximum: writeBurst,
  heartbeatInterval: 250,
});
