import { codeSpan } from "../../text/escape-markdown.ts";
import { counted } from "../../text/figures.ts";
import type { ProofSummary } from "./summary.ts";

/** `Red without this change, green with it; old tests unchanged; 4 of 4 changes noticed; 12 tests, 10 before.` */
export function proofSentence(proof: ProofSummary): string {
  const { red_first, originals, witnessed, tried, tests_before, tests_after } = proof;
  const parts = [
    redFirstText(red_first, proof.base),
    originals === "not applicable" ? "old tests unchanged" : `old tests on this work: ${originals}`,
    tried > 0 ? `${witnessed} of ${counted(tried, "change")} noticed` : [],
    proof.tests_first ? "tests written before the work" : [],
    tests_after === undefined ? [] : `${counted(tests_after, "test")} ran, ${tests_before} before`,
  ];
  return `${parts.flat().join("; ")}.`;
}

function redFirstText(kind: string, base: string): string {
  switch (kind) {
    case "red":
      return `red on ${codeSpan(base)} without this change, green with it`;
    case "load-error":
      return `new tests do not load on ${codeSpan(base)} without this change, green with it`;
    case "green":
      return "**the new tests pass without this change**";
    case "no tests":
      return "**no new test**";
    default:
      return `new tests without this change: ${kind}`;
  }
}

/** The same as plain text. */
export const plainProof = (proof: ProofSummary): string =>
  proofSentence(proof).replace(/[`*]/g, "");
