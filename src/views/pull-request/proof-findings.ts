import type { ProofFinding } from "../../core/state/proof-event.ts";
import { codeSpan, escapeMarkdown } from "../../text/escape-markdown.ts";
import { counted } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { ProofSummary, Summary } from "../summary/summary.ts";

const maxPaths = 10;

/** What the proof of the work found, one line for each task and finding. */
export function findingLines(
  { tasks }: Pick<Summary, "tasks">,
  kind: ProofFinding["kind"],
): string[] {
  return tasks.flatMap(({ id, proof }) =>
    (proof?.findings ?? [])
      .filter((finding) => finding.kind === kind)
      .map((finding) => `- **${id}**: ${describe(finding)}`),
  );
}

function describe({ message, paths, check }: ProofFinding): string {
  const text = escapeMarkdown(plainLine(message, 1000));
  // Other messages name their files themselves.
  if (check !== "flags") return text;
  const shown = paths.slice(0, maxPaths).map((path) => codeSpan(plainLine(path)));
  const more = paths.length > maxPaths ? ` and ${paths.length - maxPaths} more` : "";
  return `${text}: ${shown.join(", ")}${more}`;
}

/** How many findings keep the pull request a draft. */
export const countFindings = ({ tasks }: Pick<Summary, "tasks">): number =>
  tasks.flatMap(({ proof }) => proof?.findings ?? []).filter(({ kind }) => kind === "finding")
    .length;

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
      return `does not load on ${codeSpan(base)} without this change, green with it`;
    case "green":
      return "**the new tests pass without this change**";
    case "no tests":
      return "**no new test**";
    default:
      return `new tests without this change: ${kind}`;
  }
}
