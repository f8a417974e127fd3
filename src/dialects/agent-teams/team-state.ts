import type { Phase } from "../../schema/base/phase.ts";
import { counted } from "../../text/figures.ts";
import { jsonValue } from "../../text/json-value.ts";
import type { CancelRequest, ForeignFile, ForeignRun, ForeignTree } from "../dialect.ts";
import { parseRecord, wholeFile } from "../json-text.ts";
import { noFailure, readFailures } from "./schema/failures.ts";
import { readMetrics } from "./schema/metrics.ts";
import { type TeamTaskStatus, teamTaskStatuses } from "./schema/task.ts";
import { failuresPath, metricsPath } from "./team-counters.ts";
import { withStatus } from "./team-task-header.ts";
import { openTasks, plansOf, statusIn, type TeamPlan } from "./team-tasks.ts";

export const abortPath = ".ralph/ABORT";

/** A team whose figures have not changed for so long is inactive. */
const staleMs = 4 * 60 * 60_000;

/** The teams of a tree, one for each plan: a team with a running task and no abort file is active. */
export function readTeam(tree: ForeignTree, now: string): ForeignRun[] {
  return plansOf(tree).map((plan) => readPlan(tree, plan, now));
}

function readPlan(tree: ForeignTree, plan: TeamPlan, now: string): ForeignRun {
  const counts = countStatuses(tree, plan);
  const running = counts.IN_PROGRESS + counts.IN_REVIEW;
  const isActive = running > 0 && !tree.has(abortPath) && !isStale(tree, now);
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

function countStatuses(tree: ForeignTree, { files }: TeamPlan): Counts {
  const counts = { PENDING: 0, IN_PROGRESS: 0, IN_REVIEW: 0, COMPLETED: 0, BLOCKED: 0 };
  for (const file of files) {
    const status = statusIn(tree, file);
    if (status) counts[status] += 1;
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

/** The figures change with every completion; a team without figures has had none. */
function isStale(tree: ForeignTree, now: string): boolean {
  const at = readMetrics(jsonValue(tree.get(metricsPath) ?? "{}"))?.last_updated;
  return at !== undefined && Date.parse(now) - Date.parse(at) > staleMs;
}

/** Teammates stop at `.ralph/ABORT`; their running tasks become pending. The user removes the file to continue. */
export function cancelTeam(tree: ForeignTree, { id, now }: CancelRequest): ForeignFile[] {
  const isMine = id === undefined && readTeam(tree, now).some(({ isActive }) => isActive);
  if (!isMine) return [];
  const text = `Cancelled with ralph at ${now}. Remove this file to continue.\n`;
  const files = plansOf(tree).flatMap((plan) => plan.files);
  return [wholeFile(abortPath, text), ...files.flatMap((path) => waiting(tree, path))];
}

function waiting(tree: ForeignTree, path: string): ForeignFile[] {
  const status = statusIn(tree, path);
  if (status !== "IN_PROGRESS" && status !== "IN_REVIEW") return [];
  const merge = (text: string | undefined) => text && withStatus(text, { status: "PENDING" });
  return [{ path, locks: [], ours: "PENDING", merge }];
}

type Idle = { kind: "rests" | "rotates" | "works"; message: string };

/** Whether an idle teammate may stop: abort file, circuit breaker, rotation, then open tasks (compatibility 5). */
export function decideIdle(
  tree: ForeignTree,
  name: string,
  limits: { maxFailures: number; maxTasks: number },
): Idle {
  if (tree.has(abortPath)) return { kind: "rests", message: `${abortPath} is there` };
  const failure = failureOf(tree, name);
  const inRow = failure.consecutive_failures;
  if (inRow >= limits.maxFailures) {
    const message = `${name} has failed ${inRow} times in a row; the circuit breaker is open. \`ralph status --reset-breaker\` closes it`;
    return { kind: "rests", message };
  }
  const completed = Math.max(failure.total_successes, completedOf(tree, name));
  if (limits.maxTasks > 0 && completed >= limits.maxTasks) {
    const message = `${name} has completed ${completed} of ${limits.maxTasks} tasks; another teammate continues`;
    return { kind: "rotates", message };
  }
  const open = openTasks(tree).length;
  if (open === 0) return { kind: "rests", message: "no task is open" };
  return {
    kind: "works",
    message: `${open} tasks are open. Read .ralph/guardrails.md again, then take the next task.`,
  };
}

const failureOf = (tree: ForeignTree, name: string) =>
  readFailures(parseRecord(tree.get(failuresPath)) ?? {})?.[name] ?? noFailure;

const completedOf = (tree: ForeignTree, name: string) =>
  readMetrics(parseRecord(tree.get(metricsPath)) ?? {})?.perTeammate[name]?.completed ?? 0;

/** The handoff note for the next teammate; its author may add to it. */
export function renderHandoff(tree: ForeignTree, name: string, { message }: Idle): string {
  const { last_failure, total_failures } = failureOf(tree, name);
  const open = openTasks(tree);
  const rows = open.length > 0 ? open.map((file) => `- ${file}\n`).join("") : "- none\n";
  return `# Handoff: ${name}

${message}.

## Open Tasks
${rows}
## Warnings
- ${total_failures} completions were rejected${last_failure === null ? "" : `; the last one: ${last_failure}`}
- Lessons of all teammates are in .ralph/guardrails.md
`;
}
