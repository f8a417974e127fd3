import { createHash } from "node:crypto";
import type { ProofFinding } from "../../core/state/proof-event.ts";
import { codeSpan, escapeMarkdown } from "../../text/escape-markdown.ts";
import { counted } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { ProofSummary, Summary } from "./summary.ts";

const maxPaths = 10;

/** Tasks and repairs, which the proof of the work looks at. */
type ProvedWorks = Pick<Summary, "tasks" | "repairs">;

/** The findings of one kind, each with its task or repair. */
export function findingsOf(
  { tasks, repairs }: ProvedWorks,
  kind: ProofFinding["kind"],
): { id: string; commit: string | null; finding: ProofFinding }[] {
  const works = [
    ...tasks.map(({ id, commit, proof }) => ({ id, commit, findings: proof?.findings ?? [] })),
    ...repairs.map(({ name: id, commit, findings }) => ({ id, commit, findings })),
  ];
  return works.flatMap(({ id, commit, findings }) =>
    findings.filter((finding) => finding.kind === kind).map((finding) => ({ id, commit, finding })),
  );
}

/** The same as Markdown, one line each; `links` lead from a pull request to the places in the task's commit. */
export function findingLines(
  works: ProvedWorks,
  kind: ProofFinding["kind"],
  { links = false } = {},
): string[] {
  return findingsOf(works, kind).map(({ id, commit, finding }) => {
    const diff = links && commit ? linksTo(finding.paths, commit) : "";
    return `- **${id}**: ${describe(finding)}${diff}`;
  });
}

/** Everything that a person should look at. */
export const lookLines = (works: ProvedWorks): string[] => [
  ...findingLines(works, "finding"),
  ...findingLines(works, "note"),
];

/** As plain text. */
export const plainFinding = ({ message, paths, check }: ProofFinding): string =>
  plainLine(
    check === "flags" ? `${message}: ${paths.slice(0, maxPaths).join(", ")}` : message,
    1000,
  );

function describe({ message, paths, check }: ProofFinding): string {
  const text = escapeMarkdown(plainLine(message, 1000));
  // Other messages name their files themselves.
  if (check !== "flags") return text;
  const shown = paths.slice(0, maxPaths).map((path) => codeSpan(plainLine(path)));
  const more = paths.length > maxPaths ? ` and ${paths.length - maxPaths} more` : "";
  return `${text}: ${shown.join(", ")}${more}`;
}

const maxLinks = 3;

/** GitHub's anchor of a file in a commit, relative to the page of a pull request. */
function linksTo(paths: readonly string[], commit: string): string {
  const shown = paths.slice(0, maxLinks).map((place) => {
    const [, path = place, line] = /^(.*?)(?::(\d+))?$/s.exec(place) ?? [];
    const anchor = `diff-${createHash("sha256").update(path).digest("hex")}`;
    return `[diff](../commit/${commit}#${anchor}${line === undefined ? "" : `R${line}`})`;
  });
  return shown.length === 0 ? "" : ` (${shown.join(", ")})`;
}

/** `Red without this change, green with it; old tests unchanged; 4 of 4 changes noticed; 12 tests, 10 before.` */
export function proofSentence(proof: ProofSummary): string {
  const { red_first, originals, witnessed, tried, tests_before, tests_after } = proof;
  const without = withoutChange[red_first]?.(codeSpan(proof.base));
  const parts = [
    without ?? `new tests without this change: ${red_first}`,
    originals === "not applicable" ? "old tests unchanged" : `old tests on this work: ${originals}`,
    tried > 0 ? `${witnessed} of ${counted(tried, "change")} noticed` : [],
    proof.tests_first ? "tests written before the work" : [],
    tests_after === undefined ? [] : `${counted(tests_after, "test")} ran, ${tests_before} before`,
  ];
  return `${parts.flat().join("; ")}.`;
}

const withoutChange: Readonly<Record<string, (base: string) => string>> = {
  red: (base) => `red on ${base} without this change, green with it`,
  "load-error": (base) => `new tests do not load on ${base} without this change, green with it`,
  green: () => "**the new tests pass without this change**",
  "no tests": () => "**no new test**",
};

/** The same as plain text. */
export const plainProof = (proof: ProofSummary): string =>
  proofSentence(proof).replace(/[`*]/g, "");
