import { codeSpan } from "../../text/escape-markdown.ts";
import { counted } from "../../text/figures.ts";
import type { ProofSummary, Summary } from "../summary/summary.ts";

/** The findings of the clean room in the work of a task, whatever the journal says. */
export type RoomFinding = { task: string; message: string };

/** Findings of the clean room that the journal does not have. */
export function roomFindings(
  { tasks }: Pick<Summary, "tasks">,
  findings: readonly RoomFinding[] = [],
): RoomFinding[] {
  const messagesOf = (task: string) =>
    tasks.find(({ id }) => id === task)?.proof?.findings.map(({ message }) => message) ?? [];
  // Long messages were cut on their way here.
  return findings.filter(
    ({ task, message }) => !messagesOf(task).some((known) => known.startsWith(message)),
  );
}

/** How many findings keep the pull request a draft. */
export const countFindings = (
  summary: Pick<Summary, "tasks">,
  findings: readonly RoomFinding[] = [],
): number =>
  roomFindings(summary, findings).length +
  summary.tasks
    .flatMap(({ proof }) => proof?.findings ?? [])
    .filter(({ kind }) => kind === "finding").length;

/** `Red without this change, green with it; old tests unchanged; 4 of 4 changes noticed; 12 tests, 10 before.` */
export function proofSentence(proof: ProofSummary): string {
  const { red_first, originals, witnessed, tried, tests_before, tests_after } = proof;
  const parts = [
    redFirstText(red_first, proof.base),
    originals === "not applicable" ? "old tests unchanged" : `old tests on this work: ${originals}`,
    tried > 0 ? `${witnessed} of ${counted(tried, "change")} noticed` : [],
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
