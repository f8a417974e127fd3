import type { HeadProof, ProvedCriterion, ProvedGate } from "../../core/checks/prove.ts";
import { codeSpan, escapeMarkdown, escapeTableCell } from "../../text/escape-markdown.ts";
import { renderDuration } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { proofSentence } from "../summary/proof-sentence.ts";
import {
  proofOf,
  resultOf,
  startedTasks,
  type TableLines,
  tableLines,
} from "../summary/report-parts.ts";
import type { Summary, TaskSummary } from "../summary/summary.ts";
import { type CriterionSummary, type GateSummary, isGreen } from "../summary/summary-proof.ts";
import { taskRanges } from "../summary/task-ranges.ts";
import type { RoomFinding } from "./proof-findings.ts";

/** The clean room's verdict on the head, if it ran (design 5). */
export type CleanRoom =
  | (Pick<HeadProof, "kind" | "problems"> & {
      gates: readonly Pick<ProvedGate, "name" | "status" | "ok">[];
      criteria: readonly Pick<ProvedCriterion, "task" | "index" | "ok">[];
      findings?: readonly RoomFinding[] | undefined;
    })
  | undefined;

/** One sentence that names the level of the proofs. */
export function levelOf(room: CleanRoom): string {
  if (!room) return "Proved in place: on the machine where the agents worked.";
  if (room.kind === "proved") {
    return "Proved in a clean room: gates and criteria ran again on a fresh machine, without agents.";
  }
  return "**Refuted in the clean room**: gates or criteria that held where the agents worked fail on a fresh machine.";
}

/** One folded block for each started task: its criteria with their proofs. */
export function criteriaBlocks(summary: Summary, room: CleanRoom): string[] {
  return startedTasks(summary).map((task) =>
    [
      `<details><summary>${task.id}: ${resultOf(task, summary)}</summary>`,
      `**${task.id}**: ${escapeMarkdown(task.title)}`,
      criteriaTable(task, room).join("\n"),
      ...(task.proof ? [proofSentence(task.proof)] : []),
      "</details>",
    ].join("\n\n"),
  );
}

function criteriaTable(task: TaskSummary, room: CleanRoom): TableLines {
  const rows = task.criteria.map((each) => [
    String(each.number),
    escapeTableCell(each.text),
    shownBy(each, task, room),
    proofOf(each),
  ]);
  return tableLines(["", "Criterion", "Shown by", "Proof"], rows);
}

function shownBy({ verdict, number }: CriterionSummary, task: TaskSummary, room: CleanRoom) {
  const again = room?.criteria.find((each) => each.task === task.id && each.index === number);
  if (again && !again.ok) return "refuted in the clean room";
  switch (verdict) {
    case "proved":
      return again ? "execution, clean room" : "execution, in place";
    case "held":
      return "held before the task";
    case "failed":
      return "failed";
    case "to_judge":
      return task.state === "passed" ? "the review alone" : "for the review";
    default:
      return "not checked";
  }
}

/** Every gate of every started task, against the start commit; tasks with the same result share a row. */
export function gateRows(summary: Summary, room: CleanRoom): TableLines {
  const results = startedTasks(summary).flatMap((task) =>
    task.gates.map((each) => ({ id: task.id, ms: each.duration_ms, cells: cellsOf(each, room) })),
  );
  const rows = [...Map.groupBy(results, ({ cells }) => cells.join("|")).values()].map((same) => [
    taskRanges(same.map(({ id }) => id)),
    ...(same[0]?.cells ?? []),
    renderDuration(same.reduce((sum, { ms }) => sum + ms, 0)),
  ]);
  const again = room ? ["Clean room"] : [];
  const head = ["Task", "Gate", "In place", "Start commit", "New failures", ...again, "Time"];
  return rows.length === 0 ? [] : tableLines(head, rows);
}

const cellsOf = (each: GateSummary, room: CleanRoom) => [
  codeSpan(each.gate),
  labelOf(each.status),
  labelOf(each.baseline),
  isGreen(each) ? "-" : String(each.new_failures ?? "unknown"),
  ...(room ? [labelOf(room.gates.find(({ name }) => plainLine(name) === each.gate)?.status)] : []),
];

const labelOf = (status: string | null | undefined) => status?.replaceAll("_", " ") ?? "-";
