import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { escapeMarkdown } from "../../text/escape-markdown.ts";
import { counted } from "../../text/figures.ts";
import { findHeading, insertAt, markdownLines } from "../../text/markdown-lines.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { ForeignFile } from "../dialect.ts";

export const blockersPath = ".ralph/blockers.md";

const template = `# Blockers

What keeps tasks from being completed, and how it was overcome.

## Active Blockers

## Resolved Blockers
`;

/**
 * An entry for each blocked task; it moves to the resolved ones when the task passes (compatibility 5). Without entries the
 * file stays as it is, but is still returned, so that an unwritable file is found before anything is spent.
 */
export function blockersMd(state: SessionState): ForeignFile[] {
  const blocked = state.tasks.filter(({ state }) => state === "blocked");
  // Only a task with failures can have been blocked before.
  const passed = state.tasks.filter(({ state, failures }) => state === "passed" && failures);
  const named = [...blocked, ...passed].map(({ task, state, endedAt }) => [
    task.id,
    state,
    endedAt,
  ]);
  const merge = (text: string | undefined) => {
    const resolved = passed.reduce<string | undefined>(resolve, text);
    return blocked.reduce<string | undefined>(withEntry, resolved);
  };
  return [{ path: blockersPath, locks: [], ours: JSON.stringify(named), merge }];
}

const headingOf = ({ task }: TaskState) =>
  `Blocker: ${task.id} ${plainLine(escapeMarkdown(task.title))}`;

function withEntry(text: string | undefined, task: TaskState): string {
  const file = text?.trim() ? text : template;
  const stamp = `- **Timestamp:** ${task.endedAt ?? ""}`;
  if (file.includes(`### ${headingOf(task)}`) && file.includes(stamp)) return file;
  return insertBelow(file, "Active Blockers", renderEntry(task, stamp));
}

function renderEntry(task: TaskState, stamp: string): string {
  const { lastFailure, message = "", kept, iterations } = task;
  const feedback = lastFailure?.feedback ?? "";
  // The message of a task that gave up ends with its last failure.
  const isWhole = feedback !== "" && message.includes(feedback);
  const parts = isWhole ? [message] : [message.replace(/[.:]$/, ""), feedback];
  const details = parts.filter((part) => part !== "").join(": ");
  const where = kept === undefined ? "" : ` Its work is kept as the git tree ${kept.slice(0, 12)}.`;
  return `### ${headingOf(task)}
${stamp}
- **Type:** ${typeOf(task)}
- **Task:** ${task.task.id}
- **Details:** ${escapeMarkdown(plainLine(details, 600))}
- **Attempted Resolution:** ${counted(iterations, "iteration")} of implementation, tests and review.${where}
- **Suggested Action:** Look at the details, change the task or the project, then run \`ralph run --resume\`.
`;
}

function typeOf({ lastFailure }: TaskState): string {
  const because = lastFailure?.because;
  if (because === "gate" || because === "criteria") return "test_failure";
  return because === "no_change" ? "ambiguity" : "other";
}

/** Moves the task's entry to the resolved ones; a file without it stays as it is. */
function resolve(text: string | undefined, task: TaskState): string | undefined {
  if (text === undefined) return undefined;
  const heading = `### ${headingOf(task)}`;
  const lines = markdownLines(text);
  const at = lines.findIndex((line) => !line.isOpaque && line.text === heading);
  const first = lines[at];
  if (!first) return text;
  const rest = lines.slice(at + 1);
  const next = rest.find((line) => !line.isOpaque && /^#{1,3}\s/.test(line.text));
  const end = next?.start ?? text.length;
  const entry = text.slice(first.end, end).trimEnd();
  const without = text.slice(0, first.start) + text.slice(end);
  return insertBelow(
    without,
    "Resolved Blockers",
    `### [RESOLVED] ${headingOf(task)}
${entry}
- **Resolved:** ${task.endedAt ?? ""}
- **Resolution:** The task passed.
`,
  );
}

/** Inserts an entry below a section's heading; a file without that section gets it at its end. */
function insertBelow(file: string, section: string, entry: string): string {
  const lines = markdownLines(file);
  const heading = lines[findHeading(lines, section)];
  if (heading) return insertAt(file, heading.end, `\n${entry}`);
  return insertAt(file, file.length, `\n## ${section}\n\n${entry}`);
}
