/** Where a run stands, in the only words that are written (specs 000, "frozen"). */
export const omxPhases = [
  "starting",
  "executing",
  "verifying",
  "fixing",
  "complete",
  "failed",
  "cancelled",
] as const;
export type OmxPhase = (typeof omxPhases)[number];

/** Older words, read only (compatibility 2). "canceled" is none of them. */
const aliases: Readonly<Record<string, OmxPhase>> = {
  start: "starting",
  started: "starting",
  execution: "executing",
  execute: "executing",
  verify: "verifying",
  verification: "verifying",
  fix: "fixing",
  completed: "complete",
  fail: "failed",
  error: "failed",
  cancel: "cancelled",
};

/** The phase a word stands for, whatever its case; undefined for what is none. */
export function omxPhase(word: string): OmxPhase | undefined {
  const plain = word.trim().toLowerCase();
  return omxPhases.find((phase) => phase === plain) ?? aliasOf(plain);
}

const aliasOf = (word: string) => (Object.hasOwn(aliases, word) ? aliases[word] : undefined);

/** Whether a run in this phase has come to its end. */
export const isTerminal = (phase: OmxPhase | undefined) =>
  phase === "complete" || phase === "failed" || phase === "cancelled";
