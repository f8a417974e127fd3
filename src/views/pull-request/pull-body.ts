import { codeSpan, escapeMarkdown } from "../../text/escape-markdown.ts";
import { counted, renderCost, renderDuration } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { TaskLearnings } from "../summary/completion-report.ts";
import { findingLines } from "../summary/findings.ts";
import {
  plainSection,
  renderSections,
  type Section,
  tableSection,
  titledSection,
} from "../summary/fit-sections.ts";
import { ifUngated } from "../summary/gate-facts.ts";
import { costTable, taskTable } from "../summary/report-parts.ts";
import type { Summary } from "../summary/summary.ts";
import { pictureNote, verificationFacts } from "../summary/verification-lines.ts";
import { type BaseStatus, baseLines } from "./pull-base.ts";
import { type PullMarker, renderPullMarker } from "./pull-marker.ts";
import {
  type CleanRoom,
  countFindings,
  criteriaBlocks,
  gateRows,
  levelOf,
  roomFindings,
} from "./pull-proof.ts";
import { fillTemplate, pullValues, type RequestedWork, requestedBlocks } from "./pull-template.ts";
import { remainingWorkLines } from "./remaining-work.ts";

/** GitHub rejects a longer body. Counted in bytes, which are never fewer than characters (F38). */
export const maxBodyBytes = 65_536;
const noteBytes = 1024;

/** The data of a pull request's body; absent parts are left out. */
export interface PullBody {
  /** Made with the session's events, or the cost table has no models. */
  summary: Summary;
  requested: RequestedWork;
  marker: PullMarker;
  bodyTemplate?: string | undefined;
  cleanRoom?: CleanRoom;
  /** Undefined: not compared yet. */
  base?: BaseStatus | undefined;
  /** Null: no limit. */
  budgetUsd?: number | null | undefined;
  /** The issue that a merge closes, if every task passed. */
  issue?: number | undefined;
  /** Places in the report, with the tasks made from them. */
  trace?: readonly { source: string; tasks: readonly string[] }[] | undefined;
  /** The lessons of agents about the repository, for a person to take over. */
  learnings?: readonly TaskLearnings[] | undefined;
  /** Changes that the firewall allows and a reviewer should look at. */
  flagged?: readonly { path: string; message: string }[] | undefined;
  /** The lines that show pictures. */
  pictures?: readonly string[] | undefined;
  /** Whether the session has pictures, and the page of the run whose artifact has them too. */
  hasPictures?: boolean | undefined;
  runUrl?: string | undefined;
  /** `seq:hash` of the journal's last line. */
  journal?: string | undefined;
}

/**
 * The body of a pull request: the maintainers' own section, the request, remaining work, then tasks, proofs and cost.
 * Never longer than GitHub accepts; marker and issue are always kept. Text of agents and users is escaped.
 */
export function renderPullBody(body: PullBody): string {
  const end = [...closing(body), renderPullMarker(body.marker)].join("\n\n");
  const room = maxBodyBytes - noteBytes - Buffer.byteLength(end);
  const sections = renderSections(
    sectionsOf(body),
    room,
    (omitted) => `There was no room for ${omitted}: see \`ralph report\`.\n\n`,
  );
  return `${sections}${end}\n`;
}

/** A merge must not close an issue that is only half done. */
function closing({ issue, summary }: PullBody): string[] {
  if (issue === undefined) return [];
  return [summary.status === "completed" ? `Closes #${issue}` : `Part of #${issue}.`];
}

/** The section with the highest rank is cut first. */
function sectionsOf(body: PullBody): Section[] {
  const { summary, cleanRoom } = body;
  const look = { ...titledSection("Please look at", "\n", flaggedLines(body)), rank: 1 };
  // The reasons for a draft belong on the first screen.
  const isDraft = countFindings(summary, cleanRoom?.findings) > 0;
  return [
    { ...plainSection("template", "\n", templateLines(body)), rank: 4 },
    { ...plainSection("outcome", "\n\n", outcome(body)), rank: 0 },
    ...(isDraft ? [look] : []),
    { ...titledSection("What was asked", "\n\n", requestedBlocks(body.requested)), rank: 3 },
    { ...titledSection("What is missing", "\n", remainingWorkLines(summary, cleanRoom)), rank: 1 },
    ...(isDraft ? [] : [look]),
    { ...tableSection("Tasks", taskTable(summary)), rank: 2 },
    {
      ...titledSection("Criteria and proofs", "\n\n", criteriaBlocks(summary, cleanRoom)),
      rank: 7,
    },
    { ...tableSection("Gates against the start commit", gateRows(summary, cleanRoom)), rank: 6 },
    { ...titledSection("The program as it runs", "\n", verificationFacts(summary)), rank: 5 },
    { ...titledSection("What a browser shows", "\n", pictureSection(body)), rank: 5 },
    { ...tableSection("Cost", costTable(summary)), rank: 3 },
    { ...titledSection("What the agents learned", "\n", learningLines(body)), rank: 9 },
    { ...titledSection("Where it comes from", "\n", traceLines(body)), rank: 8 },
  ];
}

const pictureSection = ({ pictures = [], hasPictures, runUrl }: PullBody): readonly string[] =>
  pictures.length === 0 && hasPictures ? [pictureNote(runUrl)] : pictures;

/** A person decides what later agents obey (T07). */
function learningLines({ learnings = [] }: PullBody): string[] {
  if (learnings.length === 0) return [];
  return [
    "Copy what later agents should follow into AGENTS.md; nothing of it is there yet.\n",
    ...learnings.flatMap(({ task, learnings: items }) =>
      items.map((item) => `- ${codeSpan(task.task.id)}: ${item}`),
    ),
  ];
}

function templateLines({ bodyTemplate = "", summary, requested }: PullBody): string[] {
  const text = fillTemplate(bodyTemplate, pullValues(summary, requested)).trim();
  return text === "" ? [] : text.split("\n");
}

function outcome({ summary, cleanRoom, budgetUsd, base }: PullBody): string[] {
  const { tasks_completed: passed, tasks_total, iterations, duration_ms, cost_usd } = summary;
  const cost = cost_usd === null ? "cost unknown" : renderCost(cost_usd);
  const budget = typeof budgetUsd === "number" ? ` of a budget of ${renderCost(budgetUsd)}` : "";
  const figures = `${counted(iterations, "iteration")}, ${renderDuration(duration_ms)}, ${cost}${budget}`;
  const first = `**${passed} of ${counted(tasks_total, "task")} passed** in ${figures}.`;
  const level = passed > 0 ? levelOf(cleanRoom) : "Nothing is proved.";
  const proof = `${level}${ifUngated(summary, (note) => ` **But ${note}.**`)}`;
  return [[first, ...repairNote(summary), proof].join(" "), ...baseLines(base)];
}

/** Work that no reviewer has judged is named at the top. */
function repairNote({ repairs }: Summary): string[] {
  const kept = repairs.filter(({ outcome }) => outcome === "kept").length;
  if (kept === 0) return [];
  return [`Agents then made ${counted(kept, "repair")} that no reviewer has seen.`];
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
    ...summary.orders.map((command) => `- Command: ${escapeMarkdown(command)}`),
    `- Run ${codeSpan(marker.run)}, session ${codeSpan(summary.session_id)}: from ${codeSpan(summary.start)} to ${codeSpan(summary.head)}${anchor}`,
  ];
}

/** Findings of the proof first: they are why a pull request stays a draft. */
const flaggedLines = ({ flagged = [], summary, cleanRoom }: PullBody) => [
  ...findingLines(summary, "finding", { links: true }),
  ...roomFindings(summary, cleanRoom?.findings).map(
    ({ task, message }) => `- **${task}**: ${escapeMarkdown(plainLine(message, 1000))}`,
  ),
  ...findingLines(summary, "note", { links: true }),
  ...flagged.map(
    ({ path, message }) => `- ${codeSpan(plainLine(path))} ${escapeMarkdown(plainLine(message))}`,
  ),
];
