import { selectedTasks } from "../../core/decide/task-order.ts";
import type { RunEvent } from "../../core/state/event.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { leftOutTasks } from "../../core/state/steer.ts";
import { stopReasons } from "../../error.ts";
import { headline } from "../../text/failure-excerpt.ts";
import { shortCommit } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { describeSteering } from "./describe.ts";
import { nextAction, outcomeOf } from "./outcome.ts";
import { countCriteria } from "./proof.ts";
import { callsOf, planningUsage, usageByModel } from "./summary-calls.ts";
import { summarizeCriteria, summarizeGates } from "./summary-proof.ts";
import { summarizeRepairs, summarizeVerification } from "./summary-verification.ts";
import { totalsOf } from "./totals.ts";

/** The results of a session: the object `--json` prints, and the base of every report (design 7). */
export type Summary = ReturnType<typeof summarize>;
export type TaskSummary = Summary["tasks"][number];
export type ProofSummary = NonNullable<TaskSummary["proof"]>;

/** Summarizes a session; with its events also each call and the cost of each model. */
export function summarize(state: SessionState, events?: readonly RunEvent[]) {
  const { end, session, usage, head } = state;
  const calls = events ? callsOf(events) : null;
  const { completed, total, iterations, durationMs } = totalsOf(state);
  return {
    status: outcomeOf(state),
    /** Null while the session runs. */
    stop_reason: end?.reason ?? null,
    exit_code: end ? stopReasons[end.reason] : null,
    message: end ? plainLine(end.message, 2000) : "The session has not ended.",
    /** The next step for the user. */
    next: nextAction(end?.reason ?? null),
    session_id: session.session_id,
    tasks_completed: completed,
    tasks_total: total,
    iterations,
    /** Null when no driver reported a cost. */
    cost_usd: usage.cost_usd ?? null,
    usage_by_role: state.usageByRole,
    /** The same by role, program and model; null, as `calls`, where the events are not at hand. */
    usage_by_model: calls && [...planningUsage(session), ...usageByModel(calls)],
    calls,
    duration_ms: durationMs,
    branch: session.branch,
    start: shortCommit(session.start.commit),
    head: shortCommit(head),
    sandbox: session.sandbox,
    warnings: state.warnings.map((text) => plainLine(text, 400)),
    /** The steering commands that people gave, one line each. */
    orders: state.steering.heard.map(describeSteering),
    tasks: selectedTasks(state).map((task) => summarizeTask(task, state)),
    /** Null when the program was not verified after the last task. */
    verification: summarizeVerification(state),
    repairs: summarizeRepairs(state),
    /** Tasks that people skipped, and the tasks that need them; not part of `tasks`. `skipped by ada`, `needs T-003`. */
    left_out: leftOutTasks(state).map(({ task: { task }, because }) => ({
      ...{ id: task.id, title: plainLine(task.title), because: plainLine(because) },
    })),
  };
}

/** The result of the proof beside green gates; null where the settings ask for none. */
function proofOfWork({ proof, tree, parts }: TaskState) {
  if (proof?.judged?.tree !== tree) return null;
  const { figures, findings } = proof.judged;
  return {
    /** The commit the task began on. */
    base: shortCommit(proof.plan?.base_commit ?? ""),
    /** Its tests were written before the work, and the implementation did not see them. */
    tests_first: parts !== undefined,
    ...figures,
    findings,
  };
}

function summarizeTask(run: TaskState, session: SessionState) {
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
    /** Why it failed or is blocked, or what went wrong last. */
    message: failure ? plainLine(failure, 1000) : null,
    /** The message without the output it quotes. */
    reason: failure ? plainLine(headline(failure), 400) : null,
    /** The tree that holds its unfinished work, and the one this started from. */
    kept: kept ?? null,
    kept_from: keptFrom ? shortCommit(keptFrom) : null,
    /** Nothing had to change: every criterion held before. */
    already_satisfied: run.isAlreadySatisfied,
    criteria: summarizeCriteria(run),
    criteria_count: countCriteria(run),
    gates: summarizeGates(run, session),
    proof: proofOfWork(run),
  };
}
