import type { Phase } from "../../schema/base/phase.ts";
import { counted } from "../../text/figures.ts";
import type { CancelRequest, ForeignFile, ForeignRun, ForeignTree } from "../dialect.ts";
import { parseText } from "../json-text.ts";
import { readMetrics } from "./schema/metrics.ts";
import { readHeader, type TeamTaskStatus, taskStatusOf, teamTaskStatuses } from "./schema/task.ts";
import { metricsPath } from "./team-counters.ts";
import { withStatus } from "./team-task-header.ts";
import { plansOf, type TeamPlan } from "./team-tasks.ts";

export const abortPath = ".ralph/ABORT";

/** A team whose figures have not changed for so long has nobody behind it. */
const staleMs = 4 * 60 * 60_000;

/** How the teams of a tree stand, by plan: at work are those with a task under way that nobody has aborted. */
export function readTeam(tree: ForeignTree, now: string): ForeignRun[] {
  return plansOf(tree).map((plan) => readPlan(tree, plan, now));
}

function readPlan(tree: ForeignTree, plan: TeamPlan, now: string): ForeignRun {
  const counts = countWords(tree, plan);
  const under = counts.IN_PROGRESS + counts.IN_REVIEW;
  const isActive = under > 0 && !tree.has(abortPath) && !isStale(tree, now);
  const shown = teamTaskStatuses.filter((word) => counts[word] > 0);
  const detail = shown.map((word) => `${counts[word]} ${word.toLowerCase().replace("_", " ")}`);
  return {
    id: undefined,
    path: plan.folder,
    isActive,
    phase: phaseOf(counts, tree.has(abortPath)),
    detail: `${counted(plan.files.length, "task")}: ${detail.join(", ")}`,
  };
}

type Counts = Record<TeamTaskStatus, number>;

function countWords(tree: ForeignTree, { files }: TeamPlan): Counts {
  const counts = { PENDING: 0, IN_PROGRESS: 0, IN_REVIEW: 0, COMPLETED: 0, BLOCKED: 0 };
  for (const file of files) {
    const word = taskStatusOf(readHeader(tree.get(file) ?? ""));
    if (word) counts[word] += 1;
  }
  return counts;
}

function phaseOf(counts: Counts, isAborted: boolean): Phase {
  const open = counts.PENDING + counts.IN_PROGRESS + counts.IN_REVIEW;
  if (open === 0) return counts.BLOCKED > 0 ? "failed" : "complete";
  if (isAborted) return "cancelled";
  if (counts.IN_REVIEW > 0 && counts.IN_PROGRESS === 0) return "verifying";
  return open === counts.PENDING && counts.COMPLETED === 0 ? "starting" : "executing";
}

/** Its figures change with every completion; a team without any has not begun to count. */
function isStale(tree: ForeignTree, now: string): boolean {
  const at = readMetrics(parseText(tree.get(metricsPath) ?? "{}"))?.last_updated;
  return at !== undefined && Date.parse(now) - Date.parse(at) > staleMs;
}

/** Teammates stop at `.ralph/ABORT`; what they were at waits again. Somebody takes the file away to go on. */
export function cancelTeam(tree: ForeignTree, { id, now }: CancelRequest): ForeignFile[] {
  const isMine = id === undefined && readTeam(tree, now).some(({ isActive }) => isActive);
  if (!isMine) return [];
  const text = `Cancelled with ralph at ${now}. Remove this file to go on.\n`;
  const files = plansOf(tree).flatMap((plan) => plan.files);
  return [{ path: abortPath, locks: [], text }, ...files.flatMap((path) => waiting(tree, path))];
}

function waiting(tree: ForeignTree, path: string): ForeignFile[] {
  const word = taskStatusOf(readHeader(tree.get(path) ?? ""));
  if (word !== "IN_PROGRESS" && word !== "IN_REVIEW") return [];
  const merge = (text: string | undefined) => text && withStatus(text, { status: "PENDING" });
  return [{ path, locks: [], ours: "PENDING", merge }];
}
