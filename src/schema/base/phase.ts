/** The seven phases of a run, the only ones that are written (specs 000, "frozen"). */
export const phases = [
  "starting",
  "executing",
  "verifying",
  "fixing",
  "complete",
  "failed",
  "cancelled",
] as const;
export type Phase = (typeof phases)[number];
