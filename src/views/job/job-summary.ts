import { codeSpan, escapeMarkdown } from "../../text/escape-markdown.ts";
import { counted, renderCost, renderDuration } from "../../text/figures.ts";
import { lookLines } from "../summary/findings.ts";
import {
  plainSection,
  renderSections,
  type Section,
  tableSection,
  titledSection,
} from "../summary/fit-sections.ts";
import { ifUngated, passedHere, shownOutcome } from "../summary/gate-facts.ts";
import type { Outcome } from "../summary/outcome.ts";
import {
  costTable,
  criteriaTable,
  foldedTasks,
  gateTable,
  taskTable,
  unfinishedLines,
} from "../summary/report-parts.ts";
import type { Summary } from "../summary/summary.ts";
import { verificationLines } from "../summary/verification-lines.ts";
import { renderGantt } from "./gantt.ts";

/** GitHub drops a larger job summary entirely. */
export const maxSummaryBytes = 1024 * 1024;
const noteBytes = 4096;

export interface JobSummaryInput {
  /** The session directory with logs and timeline, and the artifact that holds it. */
  sessionDir: string;
  artifact?: string | undefined;
  /** The next step in this job, if it differs from the next step on a terminal. */
  next?: string | undefined;
}

/**
 * The page of a job, for `$GITHUB_STEP_SUMMARY`: never larger than GitHub accepts. Text of agents and users is escaped.
 * Models and timeline need a summary that was made with the events.
 */
export function renderJobSummary(summary: Summary, input: JobSummaryInput): string {
  const text = renderSections(
    sectionsOf(summary, input),
    maxSummaryBytes - noteBytes,
    (omitted) =>
      `GitHub shows at most 1 MiB. Omitted: ${omitted}. See \`ralph report\` and \`--json\`.`,
  );
  return `${text.trimEnd()}\n`;
}

/** The section with the highest rank is cut first. */
function sectionsOf(summary: Summary, input: JobSummaryInput): Section[] {
  const next = `**Next**: ${input.next ?? summary.next}`;
  const warnings = summary.warnings.map((text) => `- Warning: ${escapeMarkdown(text)}`);
  const outcome = [...outcomeLines(summary), next, whereToLook(input)];
  return [
    { ...plainSection("Outcome", "\n\n", outcome), rank: 0 },
    { ...titledSection("What stopped", "\n", unfinishedLines(summary)), rank: 1 },
    { ...titledSection("Please look at", "\n", lookLines(summary)), rank: 1 },
    { ...tableSection("Tasks", taskTable(summary)), rank: 2 },
    { ...titledSection("Proofs", "\n\n", proofBlocks(summary)), rank: 4 },
    { ...titledSection("The program as it runs", "\n", verificationLines(summary)), rank: 2 },
    { ...tableSection("Cost", costTable(summary)), rank: 3 },
    { ...titledSection("Timeline", "\n\n", timeline(summary)), rank: 6 },
    { ...titledSection("Warnings", "\n", warnings), rank: 5 },
  ];
}

function whereToLook({ sessionDir, artifact }: JobSummaryInput): string {
  const files = `Logs, timeline and status files are in ${codeSpan(sessionDir)}`;
  return artifact ? `${files}, uploaded as the artifact ${codeSpan(artifact)}.` : `${files}.`;
}

function timeline(summary: Summary): string[] {
  const gantt = renderGantt(summary);
  return gantt ? [[gantt.chart, gantt.note].filter(Boolean).join("\n\n")] : [];
}

function outcomeLines(summary: Summary): string[] {
  const { status, exit_code, message } = summary;
  const label = status === "running" ? "not ended" : status.replaceAll("_", " ");
  const code = exit_code === null ? "" : ` (exit code ${exit_code})`;
  const note = ifUngated(summary, (text) => `, ${text}`);
  return [
    `## ${signs[shownOutcome(summary)]} ralph: ${label}, ${counts(summary)}${note}`,
    `**${label}**${code}: ${escapeMarkdown(message)}`,
    figures(summary),
  ];
}

const signs: Record<Outcome, string> = {
  running: "…",
  completed: "✓",
  nothing_to_do: "·",
  partial: "!",
  blocked: "✗",
  failed: "✗",
  aborted: "✗",
};

function counts(summary: Summary): string {
  const { tasks_completed, tasks_total } = summary;
  const here = passedHere(summary).length;
  const before = tasks_completed - here;
  const earlier = before > 0 ? ` (${before} before it)` : "";
  return `${here} of ${counted(tasks_total, "task")} passed in this session${earlier}`;
}

function figures(summary: Summary): string {
  const { iterations, duration_ms, cost_usd, session_id, branch, start, head, sandbox } = summary;
  const cost = cost_usd === null ? "cost unknown" : renderCost(cost_usd);
  const commits = start === head ? "no new commit" : `now at ${codeSpan(head)}`;
  return [
    [counted(iterations, "iteration"), renderDuration(duration_ms), cost].join(", "),
    `Branch ${codeSpan(branch)}, ${commits}`,
    `Session ${codeSpan(session_id)}, sandbox ${sandbox}.`,
  ].join(". ");
}

const proofBlocks = (summary: Summary) =>
  foldedTasks(summary, (task) => [
    criteriaTable(task).join("\n"),
    gateTable(task)?.join("\n") ?? "No gate ran on its newest state.",
  ]);
