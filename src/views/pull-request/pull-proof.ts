import type { HeadProof, ProvedCriterion, ProvedGate } from "../../core/checks/prove.ts";
import type { ProgramLevel } from "../../core/checks/proved-program.ts";
import { codeSpan, escapeMarkdown } from "../../text/escape-markdown.ts";
import { orDash, renderDuration } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { findingsOf } from "../summary/findings.ts";
import { taskRanges } from "../summary/gate-facts.ts";
import {
  criteriaTable,
  foldedTasks,
  startedTasks,
  type TableLines,
  tableLines,
} from "../summary/report-parts.ts";
import type { Summary, TaskSummary } from "../summary/summary.ts";
import { type CriterionSummary, type GateSummary, isGreen } from "../summary/summary-proof.ts";

/** A finding of the clean room in the work of a task, whatever the journal says. */
type RoomFinding = { task: string; message: string };

/** The verdict on the head of a check without agents, if one ran (design 5). */
export type CleanRoom =
  | (Pick<HeadProof, "kind" | "problems"> & {
      /** It ran in a checkout on the machine where the agents worked, as by `ralph audit --prove`. */
      isLocal?: boolean | undefined;
      gates: readonly Pick<ProvedGate, "name" | "status" | "ok">[];
      criteria: readonly Pick<ProvedCriterion, "task" | "index" | "ok">[];
      program?: RoomProgram | undefined;
      findings?: readonly RoomFinding[] | undefined;
    })
  | undefined;

/** The program as it ran in the clean room. */
export type RoomProgram = {
  level: ProgramLevel;
  red: readonly string[];
  missing: readonly string[];
};

/** How a check without agents is called where it ran. */
const places = {
  room: { name: "Clean room", in: "the clean room", short: "clean room", on: "on a fresh machine" },
  checkout: {
    ...{ name: "Checkout", in: "a checkout without agents", short: "checkout" },
    on: "in a new checkout",
  },
} as const;

const placeOf = ({ isLocal = false }: Pick<NonNullable<CleanRoom>, "isLocal">) =>
  isLocal ? places.checkout : places.room;

/** `Clean room`: the heading of what a check without agents found. */
export const placeName = (room: NonNullable<CleanRoom>): string => placeOf(room).name;

/** One sentence that names the level of the proofs, and one for what the machine lacked. */
export function levelOf(room: CleanRoom): string {
  if (!room) return "Proved in place: on the machine where the agents worked.";
  return [verdictOf(room), ...missingOf(room)].join(" ");
}

function verdictOf({ kind, program, ...room }: NonNullable<CleanRoom>): string {
  const place = placeOf(room);
  const again = ranAgain[program?.level ?? "none"];
  if (kind === "proved") {
    return room.isLocal
      ? `Proved in place: on the machine where the agents worked, where ${again} ran again in a new checkout.`
      : `Proved in a clean room: ${again} ran again on a fresh machine, without agents.`;
  }
  const holds = [...room.gates, ...room.criteria].every(({ ok }) => ok);
  if (holds && room.problems.length === 0 && program && program.red.length > 0) {
    return `**Refuted in ${place.in}**: ${place.on} the program fails as it runs.`;
  }
  return `**Refuted in ${place.in}**: gates or criteria that held where the agents worked fail ${place.on}.`;
}

const ranAgain: Readonly<Record<ProgramLevel, string>> = {
  none: "gates and criteria",
  services: "gates, criteria and services",
  ui: "gates, criteria, services and browser tests",
  robot: "gates, criteria, services and Robot Framework",
  "ui+robot": "gates, criteria, services, browser tests and Robot Framework",
};

function missingOf({ program }: NonNullable<CleanRoom>): string[] {
  const { missing = [] } = program ?? {};
  return missing.length === 0
    ? []
    : [`Not run there: ${escapeMarkdown(plainLine(missing.join(", "), 500))}.`];
}

/** Criteria with their proofs, a folded block for each started task. */
export function criteriaBlocks(summary: Summary, room: CleanRoom): string[] {
  const show = (each: CriterionSummary, task: TaskSummary) => shownBy(each, task, room);
  return foldedTasks(summary, (task) => [criteriaTable(task, "Shown by", show).join("\n")]);
}

function shownBy({ verdict, number }: CriterionSummary, task: TaskSummary, room: CleanRoom) {
  const again = room?.criteria.find((each) => each.task === task.id && each.index === number);
  const place = room && placeOf(room);
  if (again && !again.ok) return `refuted in ${place?.in}`;
  switch (verdict) {
    case "proved":
      return again ? `execution, ${place?.short}` : "execution, in place";
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
  const again = room ? [placeName(room)] : [];
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

const labelOf = (status: string | null | undefined) =>
  orDash(status, (word) => word.replaceAll("_", " "));

type ProvedWorks = Pick<Summary, "tasks" | "repairs">;

/** Findings of the clean room that the journal does not have. */
export function roomFindings(
  works: ProvedWorks,
  findings: readonly RoomFinding[] = [],
): RoomFinding[] {
  const known = (["finding", "note"] as const).flatMap((kind) => findingsOf(works, kind));
  // Long messages were cut on their way here.
  return findings.filter(
    ({ task, message }) =>
      !known.some(({ id, finding }) => id === task && finding.message.startsWith(message)),
  );
}

/** How many findings keep the pull request a draft. */
export const countFindings = (works: ProvedWorks, findings: readonly RoomFinding[] = []): number =>
  roomFindings(works, findings).length + findingsOf(works, "finding").length;
