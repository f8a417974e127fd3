import { escapeMarkdown } from "../../text/escape-markdown.ts";
import { renderStamp } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { CompletionReport } from "../summary/completion-report.ts";
import type { PassedTask } from "../summary/passed-tasks.ts";
import { renderProofLine } from "../summary/proof.ts";

const maxFiles = 100;

/** `## [2026-01-25 14:38:05] - T-001: Title`, in UTC. An entry is known by this line. */
export function entryHeading({ task, endedAt }: PassedTask): string {
  return `## [${renderStamp(endedAt)}] - ${task.id}: ${shownTitle(task)}`;
}

/** A title may be a model's own words. */
const shownTitle = ({ title }: PassedTask["task"]) => escapeMarkdown(plainLine(title));

/** An entry of the progress log with its five sections (specs 004 6.4). */
export function renderEntry(task: PassedTask, claim: CompletionReport): string {
  const reported = claim.verification.map((text) => `Reported: ${text}`);
  const sections = [
    ["What was implemented", orElse(claim.changes, shownTitle(task.task))],
    ["Files changed", orElse(changedFiles(task), "none")],
    ["Verification", [renderProofLine(task), ...reported]],
    ["Learnings for future iterations", orElse(claim.learnings, "none")],
  ] as const;
  const rows = sections.map(([title, items]) => `### ${title}\n${renderBullets(items)}`);
  return `${entryHeading(task)}\n\n${rows.join("\n")}`;
}

export function renderBullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}\n`).join("");
}

const orElse = (items: readonly string[], otherwise: string) =>
  items.length > 0 ? items : [otherwise];

const marks: Readonly<Record<string, string>> = { A: " (new)", D: " (deleted)" };

function changedFiles({ files }: PassedTask): string[] {
  const shown = files
    .slice(0, maxFiles)
    .map(({ status, path }) => `${plainLine(path)}${marks[status.slice(0, 1)] ?? ""}`);
  const left = files.length - shown.length;
  return left > 0 ? [...shown, `and ${left} more`] : shown;
}
