/** The joint result of several runs of one gate on one tree, as far as they ran. */
export type Settled = "green" | "red" | "again" | "flaky";

/** More runs than this say nothing new. */
const maxRuns = 4;

/**
 * Whether a red counts: it runs once more, and two reds in a row are red. Where runs differ, the gate is `flaky`, and green
 * only if it is so in two of the last three runs; a gate that fails every second time needs a fourth.
 */
export function settleRuns(runs: readonly boolean[]): Settled {
  const [first] = runs;
  const last = runs.slice(-2);
  if (first !== false) return "green";
  if (last.length === 2 && !last.includes(true)) return "red";
  if (runs.length < 3) return "again";
  const green = runs.slice(-3).filter(Boolean).length;
  if (green >= 2) return "flaky";
  return runs.length < maxRuns ? "again" : "red";
}
