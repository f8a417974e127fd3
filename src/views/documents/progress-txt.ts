import type { SessionState } from "../../core/state/session-state.ts";
import { escapeMarkdown } from "../../text/escape-markdown.ts";
import { renderStamp } from "../../text/figures.ts";
import { hasLine, insertAt, orTemplate } from "../../text/markdown-lines.ts";
import { plainLine } from "../../text/plain-text.ts";
import { type CompletionReport, parseCompletionReport } from "../summary/completion-report.ts";
import { renderProofLine } from "../summary/proof.ts";
import { type PassedTask, passedTasks } from "../summary/totals.ts";
import type { SpliceView } from "../view.ts";
import { findInsertPosition, findPatterns, headLines } from "./progress-position.ts";

/** The content of a new log (specs 004 6.3). */
export const progressTemplate = `# Ralph Progress Log

## Codebase Patterns
<!-- Patterns discovered during runs - check this FIRST before each task -->

---
`;

/**
 * The progress log: one entry for each task that passed in this session, newest first, right after the patterns
 * block, and the patterns that these tasks found. No existing byte changes (compatibility 1.20).
 */
export function createProgressTxt(path: string): SpliceView {
  return { kind: "splice", name: "progress", path: () => path, splice };
}

function splice(text: string | undefined, state: SessionState): string | undefined {
  const fresh = passedTasks(state).filter((task) => !hasLine(text ?? "", entryHeading(task)));
  if (fresh.length === 0) return text;
  const entries = fresh.map((task) => ({ task, report: parseCompletionReport(task.claim ?? "") }));
  const patterns = entries.flatMap(({ report }) => report.patterns);
  const log = insertPatterns(orTemplate(text, progressTemplate), patterns);
  const rendered = entries.toReversed().map(({ task, report }) => renderEntry(task, report));
  return insertEntries(log, rendered);
}

function insertEntries(log: string, entries: readonly string[]): string {
  const { kind, offset } = findInsertPosition(headLines(log));
  const closed = entries.map((entry) => `${entry}\n---\n`).join("\n");
  if (kind === "before-entry") return insertAt(log, offset, `${closed}\n`);
  return insertAt(log, offset, kind === "at-end" ? `\n---\n\n${closed}` : `\n${closed}`);
}

function insertPatterns(log: string, patterns: readonly string[]): string {
  const lines = headLines(log);
  const block = findPatterns(lines);
  const known = new Set(block?.map(({ text }) => normalise(text)));
  const fresh = new Map(patterns.map((text) => [normalise(`- ${text}`), text]));
  const bullets = renderBullets([...fresh].flatMap(([key, text]) => (known.has(key) ? [] : text)));
  if (bullets === "") return log;
  const last = block?.findLast(({ text }) => text.trim() !== "");
  if (last) return insertAt(log, last.end, bullets);
  const { kind, offset } = findInsertPosition(lines);
  const made = `## Codebase Patterns\n${bullets}\n---\n`;
  return insertAt(log, offset, kind === "before-entry" ? `${made}\n` : `\n${made}`);
}

/** Bullets that differ only in marker, case or spacing are equal. */
const normalise = (line: string) =>
  line
    .replace(/^\s*[*+]\s/, "- ")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();

const maxFiles = 100;

/** `## [2026-01-25 14:38:05] - T-001: Title`, in UTC. This line identifies an entry. */
export function entryHeading({ task, endedAt }: PassedTask): string {
  return `## [${renderStamp(endedAt)}] - ${task.id}: ${shownTitle(task)}`;
}

/** A model may have written the title. */
const shownTitle = ({ title }: PassedTask["task"]) => escapeMarkdown(plainLine(title));

/** An entry of the progress log with its five sections (specs 004 6.4). */
export function renderEntry(task: PassedTask, report: CompletionReport): string {
  const reported = report.verification.map((text) => `Reported: ${text}`);
  const sections = [
    ["What was implemented", orElse(report.changes, shownTitle(task.task))],
    ["Files changed", orElse(changedFiles(task), "none")],
    ["Verification", [renderProofLine(task), ...reported]],
    ["Learnings for future iterations", orElse(report.learnings, "none")],
  ] as const;
  const rows = sections.map(([title, items]) => `### ${title}\n${renderBullets(items)}`);
  return `${entryHeading(task)}\n\n${rows.join("\n")}`;
}

function renderBullets(items: readonly string[]): string {
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
