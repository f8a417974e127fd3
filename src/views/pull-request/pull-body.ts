import { codeSpan, escapeMarkdown } from "../../text/escape-markdown.ts";
import { counted, renderCost, renderDuration } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { fitSections, omittedParts, renderFitted, type Section } from "../summary/fit-sections.ts";
import { costTable, type TableLines, taskTable } from "../summary/report-parts.ts";
import type { Summary } from "../summary/summary.ts";
import { type BaseStatus, baseLines } from "./pull-base.ts";
import { type PullMarker, renderPullMarker } from "./pull-marker.ts";
import { type CleanRoom, criteriaBlocks, gateRows, levelOf } from "./pull-proof.ts";
import {
  escapeLine,
  escapeProse,
  fillTemplate,
  pullValues,
  type RequestedWork,
} from "./pull-template.ts";
import { remainingWorkLines } from "./remaining-work.ts";

/** GitHub refuses a longer body; counted in bytes, which are never fewer than its characters (F38). */
export const maxBodyBytes = 65_536;
/** Kept free for the note on what was left out, and for rounding. */
const noteBytes = 1024;

/** Everything a pull request tells; what is absent is left out of it. */
export interface PullBody {
  /** With the session's events, or there are no models in the cost table. */
  summary: Summary;
  requested: RequestedWork;
  marker: PullMarker;
  bodyTemplate?: string | undefined;
  cleanRoom?: CleanRoom;
  /** Undefined: nobody has looked yet. */
  base?: BaseStatus | undefined;
  /** Null: no limit. */
  budgetUsd?: number | null | undefined;
  /** The issue that is closed by a merge, when every task passed. */
  issue?: number | undefined;
  /** From a place in the report to the tasks that came of it. */
  trace?: readonly { source: string; tasks: readonly string[] }[] | undefined;
  /** What the firewall lets pass and people should look at. */
  flagged?: readonly { path: string; message: string }[] | undefined;
  /** `seq:hash` of the journal's last line. */
  journal?: string | undefined;
}

/**
 * The text of a pull request: the maintainers' own section, what was asked, what is missing or needs a look, then what
 * was done, proved and spent. Never longer than GitHub takes, marker and issue always kept; text of agents and users
 * does nothing in it.
 */
export function renderPullBody(story: PullBody): string {
  const end = [...closing(story), renderPullMarker(story.marker)].join("\n\n");
  const room = maxBodyBytes - noteBytes - Buffer.byteLength(end);
  const fitted = fitSections(sectionsOf(story), room);
  const left = omittedParts(fitted);
  const note =
    left.length > 0
      ? `There was no room for ${left.join(", ")}: \`ralph report\` tells all of it.\n\n`
      : "";
  return `${fitted.map(renderFitted).join("")}${note}${end}\n`;
}

/** A merge must not close what is only half done. */
function closing({ issue, summary }: PullBody): string[] {
  if (issue === undefined) return [];
  return [summary.status === "completed" ? `Closes #${issue}` : `A part of #${issue}.`];
}

/** Cut first is what has the highest rank. */
function sectionsOf(story: PullBody): Section[] {
  const { summary, cleanRoom } = story;
  const sections: Section[] = [
    { ...part("template", "\n", templateLines(story)), rank: 4 },
    { ...part("outcome", "\n\n", outcome(story)), rank: 0 },
    { ...titled("What was asked", "\n\n", askedBlocks(story.requested)), rank: 3 },
    { ...titled("What is missing", "\n", remainingWorkLines(summary, cleanRoom)), rank: 1 },
    { ...titled("Please look at", "\n", flaggedLines(story)), rank: 1 },
    { ...table("Tasks", taskTable(summary)), rank: 2 },
    { ...titled("Criteria and proofs", "\n\n", criteriaBlocks(summary, cleanRoom)), rank: 7 },
    { ...table("Gates against the start commit", gateRows(summary, cleanRoom)), rank: 6 },
    { ...table("Cost", costTable(summary)), rank: 3 },
    { ...titled("Where it comes from", "\n", traceLines(story)), rank: 8 },
  ];
  return sections.filter(({ items }) => items.length > 0);
}

function templateLines({ bodyTemplate, summary, requested: asked }: PullBody): string[] {
  const text = fillTemplate(bodyTemplate ?? "", pullValues(summary, asked)).trim();
  return text === "" ? [] : text.split("\n");
}

function outcome({ summary, cleanRoom, budgetUsd, base }: PullBody): string[] {
  const { tasks_completed: passed, tasks_total, iterations, duration_ms, cost_usd } = summary;
  const cost = cost_usd === null ? "cost unknown" : renderCost(cost_usd);
  const budget = typeof budgetUsd === "number" ? ` of a budget of ${renderCost(budgetUsd)}` : "";
  const figures = `${counted(iterations, "iteration")}, ${renderDuration(duration_ms)}, ${cost}${budget}`;
  const first = `**${passed} of ${counted(tasks_total, "task")} passed** in ${figures}.`;
  return [`${first} ${passed > 0 ? levelOf(cleanRoom) : "Nothing is proved."}`, ...baseLines(base)];
}

function askedBlocks({
  priority_item,
  description,
  rationale,
  acceptance_criteria,
}: RequestedWork) {
  const criteria = (acceptance_criteria ?? []).map((text) => `- ${escapeLine(text)}`);
  // A task list of its own is described by one line, which is its item too.
  const isSame = description.trim() === priority_item.trim();
  return [
    `**${escapeLine(priority_item, 200)}**`,
    isSame ? "" : escapeProse(description, 2000),
    escapeProse(rationale ?? "", 1000),
    criteria.join("\n"),
  ].filter((block) => block !== "");
}

function traceLines({ trace = [], summary, marker, journal }: PullBody): string[] {
  const commits = new Map(summary.tasks.map(({ id, commit }) => [id, commit]));
  const named = (id: string) => {
    const commit = commits.get(id);
    const task = codeSpan(plainLine(id, 60));
    return commit ? `${task} in ${codeSpan(commit)}` : task;
  };
  const anchor = journal ? `, journal ${codeSpan(journal)}` : "";
  return [
    ...trace.map(
      ({ source, tasks }) => `- ${codeSpan(plainLine(source))}: ${tasks.map(named).join(", ")}`,
    ),
    ...summary.orders.map((words) => `- Said on the way: ${escapeMarkdown(words)}`),
    `- Run ${codeSpan(marker.run)}, session ${codeSpan(summary.session_id)}: from ${codeSpan(summary.start)} to ${codeSpan(summary.head)}${anchor}`,
  ];
}

const flaggedLines = ({ flagged = [] }: PullBody) =>
  flagged.map(
    ({ path, message }) => `- ${codeSpan(plainLine(path))} ${escapeMarkdown(plainLine(message))}`,
  );

type Part = Omit<Section, "rank">;

function part(name: string, separator: string, items: readonly string[]): Part {
  return { name, head: "", items, separator };
}

function titled(name: string, separator: string, items: readonly string[]): Part {
  return { ...part(name, separator, items), head: `### ${name}\n\n` };
}

function table(name: string, lines: TableLines = []): Part {
  const made = titled(name, "\n", lines.slice(2));
  return { ...made, head: `${made.head}${lines.slice(0, 2).join("\n")}\n` };
}
