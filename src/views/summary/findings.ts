import { createHash } from "node:crypto";
import type { ProofFinding } from "../../core/state/proof-event.ts";
import { codeSpan, escapeMarkdown } from "../../text/escape-markdown.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { Summary } from "./summary.ts";

const maxPaths = 10;

/** A task or a repair with something its proof found. */
type Found = { id: string; commit: string | null; finding: ProofFinding };

/** What the proofs of tasks and repairs found, as far as it is of this kind. */
export function findingsOf(
  { tasks, repairs }: Pick<Summary, "tasks" | "repairs">,
  kind: ProofFinding["kind"],
): Found[] {
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
  summary: Pick<Summary, "tasks" | "repairs">,
  kind: ProofFinding["kind"],
  { links = false } = {},
): string[] {
  return findingsOf(summary, kind).map(({ id, commit, finding }) => {
    const diff = links && commit ? linksTo(finding.paths, commit) : "";
    return `- **${id}**: ${describe(finding)}${diff}`;
  });
}

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
