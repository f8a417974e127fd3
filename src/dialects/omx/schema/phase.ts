import { type Phase, phases } from "../../../schema/base/phase.ts";

/** Older names of phases, only read (compatibility 2). "canceled" is not one of them. */
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

/** The phase of a name in any case; undefined for an unknown one. */
export function omxPhase(word: string): Phase | undefined {
  const plain = word.trim().toLowerCase();
  return phases.find((phase) => phase === plain) ?? aliasOf(plain);
}

const aliasOf = (word: string) => (Object.hasOwn(aliases, word) ? aliases[word] : undefined);

export const isTerminal = (phase: Phase | undefined) =>
  phase === "complete" || phase === "failed" || phase === "cancelled";
