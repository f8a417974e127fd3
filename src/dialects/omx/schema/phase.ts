import { type Phase, phases } from "../../../schema/base/phase.ts";

/** Older words, read only (compatibility 2). "canceled" is none of them. */
const aliases: Readonly<Record<string, Phase>> = {
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
export function omxPhase(word: string): Phase | undefined {
  const plain = word.trim().toLowerCase();
  return phases.find((phase) => phase === plain) ?? aliasOf(plain);
}

const aliasOf = (word: string) => (Object.hasOwn(aliases, word) ? aliases[word] : undefined);

/** Whether a run in this phase has come to its end. */
export const isTerminal = (phase: Phase | undefined) =>
  phase === "complete" || phase === "failed" || phase === "cancelled";
