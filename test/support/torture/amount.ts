/** How often a test of `npm run torture` tries: a sample in the gate, the full number with `--all`. */
export const amount = (sample: number, full: number): number =>
  process.env.TORTURE === "all" ? full : sample;
