import { selectedTasks } from "../../core/decide/task-order.ts";
import type { RunEvent } from "../../core/state/event.ts";
import type { ProofFigures, ProofFinding } from "../../core/state/proof-event.ts";
import type { SessionState, TaskState, TaskStatus } from "../../core/state/session-state.ts";
import { type LeftOut, leftOutTasks } from "../../core/state/steer.ts";
import type { UsageByRole } from "../../core/state/usage.ts";
import { type StopReason, stopReasons } from "../../error.ts";
import { headline } from "../../text/failure-excerpt.ts";
import { shortCommit } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { describeSteering } from "./describe.ts";
import { nextAction } from "./next-action.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { countCriteria } from "./proof.ts";
import {
  type CallSummary,
  callsOf,
  type ModelUsage,
  planningUsage,
  usageByModel,
} from "./summary-calls.ts";
import {
  type CriterionSummary,
  type GateSummary,
  summarizeCriteria,
  summarizeGates,
} from "./summary-proof.ts";
import { type RepairSummary, summarizeRepairs } from "./summary-repairs.ts";
import { summarizeVerification, type VerificationSummary } from "./summary-verification.ts";
import { totalsOf } from "./totals.ts";

/** The results of a session: the object `--json` prints, and the base of every report (design 7). */
export interface Summary {
  status: Outcome;
  /** Null while the session runs. */
  stop_reason: StopReason | null;
  exit_code: number | null;
  message: string;
  /** The next step for the user. */
  next: string;
  session_id: string;
  tasks_completed: number;
  tasks_total: number;
  iterations: number;
  /** Null when no driver reported a cost. */
  cost_usd: number | null;
  /** Calls, cost, turns and tokens of each role that was called. */
  usage_by_role: UsageByRole;
  /** The same by role, program and model; null, as `calls`, where the events are not at hand. */
  usage_by_model: readonly ModelUsage[] | null;
  calls: readonly CallSummary[] | null;
  duration_ms: number;
  branch: string;
  start: string;
  head: string;
  sandbox: SessionState["session"]["sandbox"];
  warnings: readonly string[];
  /** The steering commands that people gave, one line each. */
  orders: readonly string[];
  tasks: readonly TaskSummary[];
  /** Null when the program was not verified after the last task. */
  verification: VerificationSummary | null;
  /** What agents repaired in it, in order. */
  repairs: readonly RepairSummary[];
  /** Tasks that people skipped, and the tasks that need them; not part of `tasks`. */
  left_out: readonly LeftOutSummary[];
}

export interface LeftOutSummary {
  id: string;
  title: string;
  /** `skipped by ada`, or `needs T-003`. */
  because: string;
}

export interface TaskSummary {
  id: string;
  title: string;
  state: TaskStatus;
  passed_before: boolean;
  iterations: number;
  cost_usd: number | null;
  duration_ms: number | null;
  commit: string | null;
  /** Why it failed or is blocked, or what went wrong last. */
  message: string | null;
  /** The message without the output it quotes. */
  reason: string | null;
  /** The tree that holds its unfinished work. */
  kept: string | null;
  /** The tree that the unfinished work started from. */
  kept_from: string | null;
  /** Nothing had to change: every criterion held before. */
  already_satisfied: boolean;
  criteria: readonly CriterionSummary[];
  criteria_count: ReturnType<typeof countCriteria>;
  gates: readonly GateSummary[];
  /** The result of the proof beside green gates; null where the settings ask for none. */
  proof: ProofSummary | null;
}

export type ProofSummary = ProofFigures & {
  /** The commit the task began on. */
  base: string;
  /** Its tests were written before the work, and the implementation did not see them. */
  tests_first: boolean;
  findings: readonly ProofFinding[];
};

/** Summarizes a session; with its events also each call and the cost of each model. */
export function summarize(state: SessionState, events?: readonly RunEvent[]): Summary {
  const { end, session, usage, head } = state;
  const calls = events ? callsOf(events) : null;
  const { completed, total, iterations, durationMs } = totalsOf(state);
  return {
    status: outcomeOf(state),
    stop_reason: end?.reason ?? null,
    exit_code: end ? stopReasons[end.reason] : null,
    message: end ? plainLine(end.message, 2000) : "The session has not ended.",
    next: nextAction(end?.reason ?? null),
    session_id: session.session_id,
    tasks_completed: completed,
    tasks_total: total,
    iterations,
    cost_usd: usage.cost_usd ?? null,
    usage_by_role: state.usageByRole,
    usage_by_model: calls && [...planningUsage(session), ...usageByModel(calls)],
    calls,
    duration_ms: durationMs,
    branch: session.branch,
    start: shortCommit(session.start.commit),
    head: shortCommit(head),
    sandbox: session.sandbox,
    warnings: state.warnings.map((text) => plainLine(text, 400)),
    orders: state.steering.heard.map(describeSteering),
    tasks: selectedTasks(state).map((task) => summarizeTask(task, state)),
    verification: summarizeVerification(state),
    repairs: summarizeRepairs(state),
    left_out: leftOutTasks(state).map(summarizeLeftOut),
  };
}

function summarizeLeftOut({ task: { task }, because }: LeftOut): LeftOutSummary {
  return { id: task.id, title: plainLine(task.title), because: plainLine(because) };
}

function proofOfWork({ proof, tree, parts }: TaskState): ProofSummary | null {
  if (proof?.judged?.tree !== tree) return null;
  const base = shortCommit(proof.plan?.base_commit ?? "");
  const { figures, findings } = proof.judged;
  return { base, tests_first: parts !== undefined, ...figures, findings };
}

function summarizeTask(run: TaskState, session: SessionState): TaskSummary {
  const { task, state, startedAt, commit, kept, keptFrom } = run;
  const failure = run.message ?? (state === "passed" ? undefined : run.lastFailure?.feedback);
  return {
    id: task.id,
    title: plainLine(task.title),
    state,
    passed_before: run.passedBefore,
    iterations: run.iterations,
    cost_usd: run.usage.cost_usd ?? null,
    duration_ms: startedAt ? Date.parse(run.endedAt ?? session.ts) - Date.parse(startedAt) : null,
    commit: commit ? shortCommit(commit) : null,
    message: failure ? plainLine(failure, 1000) : null,
    reason: failure ? plainLine(headline(failure), 400) : null,
    kept: kept ?? null,
    kept_from: keptFrom ? shortCommit(keptFrom) : null,
    already_satisfied: run.isAlreadySatisfied,
    criteria: summarizeCriteria(run),
    criteria_count: countCriteria(run),
    gates: summarizeGates(run, session),
    proof: proofOfWork(run),
  };
}
