import { codeSpan, escapeMarkdown } from "../../text/escape-markdown.ts";
import { counted, renderCost, renderDuration } from "../../text/figures.ts";
import { fitSections, omittedParts, renderFitted, type Section } from "../summary/fit-sections.ts";
import type { Outcome } from "../summary/outcome.ts";
import {
  costTable,
  criteriaTable,
  gateTable,
  resultOf,
  startedTasks,
  type TableLines,
  taskTable,
  unfinishedLines,
} from "../summary/report-parts.ts";
import type { Summary, TaskSummary } from "../summary/summary.ts";
import { renderGantt } from "./gantt.ts";

/** GitHub drops a larger job summary whole. */
export const maxSummaryBytes = 1024 * 1024;
/** Kept free for the note on what was left out. */
const noteBytes = 4096;

export interface JobSummaryInput {
  /** Where logs and timeline are: the session directory, and the artifact it is uploaded as. */
  sessionDir: string;
  artifact?: string | undefined;
  /** What to do next in this job, where that is not what a terminal would do. */
  next?: string | undefined;
}

/**
 * The page of a job, for `$GITHUB_STEP_SUMMARY`: never larger than GitHub takes, and no text of an agent or a
 * user does anything in it. Give `summarize` the events too, or there are no models and no timeline.
 */
export function renderJobSummary(summary: Summary, place: JobSummaryInput): string {
  const fitted = fitSections(sectionsOf(summary, place), maxSummaryBytes - noteBytes);
  const left = omittedParts(fitted);
  const note =
    left.length > 0
      ? `GitHub shows 1 MiB at most, so this is left out: ${left.join(", ")}. \`ralph report\` and \`--json\` tell all of it.`
      : "";
  return `${[...fitted.map(renderFitted), note].join("").trimEnd()}\n`;
}

/** Cut first is what has the highest rank. */
function sectionsOf(summary: Summary, place: JobSummaryInput): Section[] {
  const next = `**Next**: ${place.next ?? summary.next}`;
  const warnings = summary.warnings.map((text) => `- Warning: ${escapeMarkdown(text)}`);
  const sections: Section[] = [
    { ...blocks("Outcome", [...outcomeLines(summary), next, whereToLook(place)]), rank: 0 },
    { ...list("What stopped", unfinishedLines(summary)), rank: 1 },
    { ...table("Tasks", taskTable(summary)), rank: 2 },
    { ...titled(blocks("Proofs", proofBlocks(summary))), rank: 4 },
    { ...table("Cost", costTable(summary)), rank: 3 },
    { ...titled(blocks("Timeline", timeline(summary))), rank: 6 },
    { ...list("Warnings", warnings), rank: 5 },
  ];
  return sections.filter(({ items }) => items.length > 0);
}

function whereToLook({ sessionDir, artifact }: JobSummaryInput): string {
  const files = `Logs, timeline and status files are in ${codeSpan(sessionDir)}`;
  return artifact ? `${files}, uploaded as the artifact ${codeSpan(artifact)}.` : `${files}.`;
}

function timeline(summary: Summary): string[] {
  const gantt = renderGantt(summary);
  return gantt ? [[gantt.chart, gantt.note].filter(Boolean).join("\n\n")] : [];
}

type Part = Omit<Section, "rank">;

const blocks = (name: string, items: readonly string[]): Part => ({
  name,
  head: "",
  items,
  separator: "\n\n",
});

const titled = (part: Part): Part => ({ ...part, head: `### ${part.name}\n\n` });

const list = (name: string, items: readonly string[]): Part =>
  titled({ ...blocks(name, items), separator: "\n" });

function table(name: string, lines: TableLines = []): Part {
  const part = list(name, lines.slice(2));
  return { ...part, head: `${part.head}${lines.slice(0, 2).join("\n")}\n` };
}

/** The first lines of a job summary: how it ended in one line, why, and the figures. */
export function outcomeLines(summary: Summary): string[] {
  const { status, exit_code, message } = summary;
  const words = status === "running" ? "not ended" : status.replaceAll("_", " ");
  const code = exit_code === null ? "" : ` (exit code ${exit_code})`;
  return [
    `## ${signOf(summary)} ralph: ${words}, ${counts(summary)}`,
    `**${words}**${code}: ${escapeMarkdown(message)}`,
    figures(summary),
  ];
}

/** Only a session in which a task passed, and none failed, is shown as good (never green for nothing). */
function signOf(summary: Summary): string {
  return signs[
    summary.status === "completed" && passedHere(summary) === 0 ? "nothing_to_do" : summary.status
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

const passedHere = ({ tasks }: Summary) =>
  tasks.filter(({ state, passed_before }) => state === "passed" && !passed_before).length;

function counts(summary: Summary): string {
  const { tasks_completed, tasks_total } = summary;
  const here = passedHere(summary);
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

/** One folded block for each task that was begun: its criteria with their proofs, its gates. */
export function proofBlocks(summary: Summary): string[] {
  return startedTasks(summary).map((task) => proofBlock(task, summary));
}

// No text of anybody stands in the HTML itself: only ids and words of ours.
function proofBlock(task: TaskSummary, summary: Summary): string {
  return [
    `<details><summary>${task.id}: ${resultOf(task, summary)}</summary>`,
    `**${task.id}**: ${escapeMarkdown(task.title)}`,
    criteriaTable(task).join("\n"),
    gateTable(task)?.join("\n") ?? "No gate ran on its newest state.",
    "</details>",
  ].join("\n\n");
}
