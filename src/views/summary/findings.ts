import { createHash } from "node:crypto";
import type { ProofFinding } from "../../core/state/proof-event.ts";
import { codeSpan, escapeMarkdown } from "../../text/escape-markdown.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { Summary, TaskSummary } from "./summary.ts";

const maxPaths = 10;

/** Each task with what the proof of its work found, as far as it is of this kind. */
export function findingsOf(
  { tasks }: Pick<Summary, "tasks">,
  kind: ProofFinding["kind"],
): { task: TaskSummary; finding: ProofFinding }[] {
  return tasks.flatMap((task) =>
    (task.proof?.findings ?? [])
      .filter((finding) => finding.kind === kind)
      .map((finding) => ({ task, finding })),
  );
}

/** The same as Markdown, one line each; `links` lead from a pull request to the places in the task's commit. */
export function findingLines(
  summary: Pick<Summary, "tasks">,
  kind: ProofFinding["kind"],
  { links = false } = {},
): string[] {
  return findingsOf(summary, kind).map(({ task, finding }) => {
    const diff = links && task.commit ? linksTo(finding.paths, task.commit) : "";
    return `- **${task.id}**: ${describe(finding)}${diff}`;
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
