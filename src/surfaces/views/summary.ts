import { type StopReason, stopReasons } from "../../error.ts";
import { selectedTasks } from "../../run/order.ts";
import type { Run, TaskRun, TaskState } from "../../run/run.ts";
import type { UsageByRole } from "../../run/usage.ts";
import { shortCommit } from "../figures.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import { plainLine } from "../plain-text.ts";
import { totalsOf } from "../totals.ts";

/** What a session came to: the object `--json` prints, and what every report is made from (design 7). */
export interface Summary {
  status: Outcome;
  /** Null while the session runs. */
  stop_reason: StopReason | null;
  exit_code: number | null;
  message: string;
  session_id: string;
  tasks_completed: number;
  tasks_total: number;
  iterations: number;
  /** Null when no driver reported a cost. */
  cost_usd: number | null;
  /** Calls, cost, turns and tokens of each role that was called. */
  usage_by_role: UsageByRole;
  duration_ms: number;
  branch: string;
  start: string;
  head: string;
  tasks: readonly TaskSummary[];
}

export interface TaskSummary {
  id: string;
  title: string;
  state: TaskState;
  passed_before: boolean;
  iterations: number;
  cost_usd: number | null;
  duration_ms: number | null;
  commit: string | null;
  /** Why it failed or is blocked, or what went wrong last. */
  message: string | null;
  /** The tree its unfinished work was kept in. */
  kept: string | null;
}

export function summarize(run: Run): Summary {
  const { end, session, usage, head } = run;
  const { completed, total, iterations, durationMs } = totalsOf(run);
  return {
    status: outcomeOf(run),
    stop_reason: end?.reason ?? null,
    exit_code: end ? stopReasons[end.reason] : null,
    message: end ? plainLine(end.message, 2000) : "The session has not ended.",
    session_id: session.session_id,
    tasks_completed: completed,
    tasks_total: total,
    iterations,
    cost_usd: usage.cost_usd ?? null,
    usage_by_role: run.usageByRole,
    duration_ms: durationMs,
    branch: session.branch,
    start: shortCommit(session.start.commit),
    head: shortCommit(head),
    tasks: selectedTasks(run).map((task) => summarizeTask(task, run.ts)),
  };
}

function summarizeTask(run: TaskRun, now: string): TaskSummary {
  const { task, state, startedAt, commit, kept } = run;
  const failure = run.message ?? (state === "passed" ? undefined : run.lastFailure?.feedback);
  return {
    id: task.id,
    title: plainLine(task.title),
    state,
    passed_before: run.passedBefore,
    iterations: run.iterations,
    cost_usd: run.usage.cost_usd ?? null,
    duration_ms: startedAt ? Date.parse(run.endedAt ?? now) - Date.parse(startedAt) : null,
    commit: commit ? shortCommit(commit) : null,
    message: failure ? plainLine(failure, 1000) : null,
    kept: kept ?? null,
  };
}
