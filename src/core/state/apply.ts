import { applyRepair, repairsAfterResume } from "./apply-repair.ts";
import { applyToTask, keptWork, reopened, taskAfterCall } from "./apply-to-task.ts";
import type { Fact, FactOf, RunEvent, Stamp } from "./event.ts";
import { claimTask, mayTryAgain } from "./queue.ts";
import { newTaskState, type SessionState, type TaskState, taskOf } from "./session-state.ts";
import { restarts, steer, withoutRestart } from "./steer.ts";
import { noSteering } from "./steering-command.ts";
import { addToDay, addToRole, addUsage } from "./usage.ts";
import { applyVerification } from "./verification.ts";
import { isVerifyFact, type VerifyFact } from "./verify-event.ts";

/** The one place where state changes (design 2). Pure; an event that cannot follow is a bug or a forged journal, and throws. */
export function apply(state: SessionState | undefined, event: RunEvent): SessionState {
  if (event.type === "session_start") return start(state, event);
  if (!state) throw new Error("A journal begins with session_start.");
  const next = applyFact(state, event);
  const tasksAt = changesTasks.has(event.type) ? event.ts : state.tasksAt;
  return { ...next, seq: event.seq, ts: event.ts, tasksAt };
}

const changesTasks = new Set<RunEvent["type"]>([
  "session_resume",
  "tasks_reloaded",
  "steered",
  "task_start",
  "iteration_failed",
  "subtask_passed",
  "task_passed",
  "task_failed",
  "task_blocked",
]);

function start(state: SessionState | undefined, event: RunEvent & FactOf<"session_start">) {
  if (state) throw new Error("A journal holds one session_start.");
  const { type: _, tasks, seq, ts, prev: __, ...session } = event;
  return {
    session,
    startedAt: ts,
    seq,
    ts,
    head: session.start.commit,
    headTree: session.start.tree,
    setup: [],
    tasks: tasks.map(newTaskState).sort(byOrder),
    tasksAt: ts,
    baselines: {},
    agents: { hasAnswered: false, failuresInRow: 0, limitsInRow: 0 },
    longestMs: {},
    steering: noSteering,
    warnings: [],
    ...planned(session),
    spentByDay: {},
    unknownCosts: 0,
  };
}

/** The cost of planning counts for the session's budget; the daily budget counts it from the run's own entry. */
function planned({
  planning,
}: SessionState["session"]): Pick<SessionState, "usage" | "usageByRole"> {
  if (!planning) return { usage: {}, usageByRole: {} };
  const { calls, usage } = planning;
  return { usage, usageByRole: { planning: { calls, ...usage } } };
}

/** Order of work: priority, then id (design 4). */
function byOrder(a: TaskState, b: TaskState): number {
  return a.task.priority - b.task.priority || (a.task.id < b.task.id ? -1 : 1);
}

function applyFact(state: SessionState, event: Fact & Stamp): SessionState {
  if (isVerifyFact(event)) return verified(state, event);
  switch (event.type) {
    case "session_start":
      return state;
    case "session_resume":
      return resume(state, event);
    case "tasks_reloaded":
      return reload(state, event);
    case "steered":
      return steer(state, event);
    case "setup_end":
      return { ...state, setup: [...state.setup, event] };
    case "baseline_end":
      return { ...state, baselines: { ...state.baselines, [event.key]: event } };
    case "wait":
      return { ...state, agents: afterWait(state.agents, event) };
    case "recheck_end":
      return { ...state, recheck: event };
    case "tampering":
      return { ...state, tampering: event };
    case "warning":
      return { ...state, warnings: [...state.warnings, event.message] };
    case "session_end": {
      const { reason, message, ts: at } = event;
      return { ...state, end: { reason, message, at } };
    }
    case "work_kept":
      return event.task === undefined
        ? state
        : withTask(state, event.task, (task) => ({ ...task, ...keptWork(task, event.tree) }));
    case "agent_end":
      return withTask(callEnded(state, event), event.task, (task) => taskAfterCall(task, event));
    case "fix_call_end":
      return applyRepair(callEnded(state, event), event);
    case "fix_start":
    case "fix_call_start":
    case "fix_checked":
    case "fix_end":
    case "fix_committed":
      return applyRepair(state, event);
    case "task_claimed":
      return withTask(state, event.task, (task) => claimTask(state, task, event));
    case "task_committed":
      return committed(state, event);
    case "criteria_end":
      return withTask(verified(state, event), event.task, (task) => applyToTask(task, event));
    default:
      return withTask(state, event.task, (task) => applyToTask(task, event));
  }
}

function verified(state: SessionState, event: VerifyFact | FactOf<"criteria_end">): SessionState {
  const verification = applyVerification(state.verification, event);
  return verification ? { ...state, verification } : state;
}

function committed(state: SessionState, { task: id, commit, tree }: FactOf<"task_committed">) {
  const next = { ...state, head: commit, headTree: tree };
  return withTask(next, id, (task) => ({ ...task, commit }));
}

type CallEnd = FactOf<"agent_end" | "fix_call_end"> & Stamp;

/** Applies a finished call to the agents' health and the totals. */
function callEnded(state: SessionState, event: CallEnd): SessionState {
  const longest = Math.max(state.longestMs[event.role] ?? 0, event.ms);
  return {
    ...state,
    agents: healthAfter(state.agents, event),
    longestMs: { ...state.longestMs, [event.role]: longest },
    usage: addUsage(state.usage, event.usage),
    usageByRole: addToRole(state.usageByRole, event),
    spentByDay: addToDay(state.spentByDay, event),
    unknownCosts: state.unknownCosts + (isUnknown(event) ? 1 : 0),
  };
}

const isUnknown = ({ outcome, usage }: CallEnd) =>
  outcome.kind === "answered" && usage.cost_usd === undefined;

function healthAfter(
  agents: SessionState["agents"],
  { outcome, seq }: CallEnd,
): SessionState["agents"] {
  switch (outcome.kind) {
    case "answered":
      // Another call that ended in the meantime does not cancel a wait that is still due.
      return { ...agents, hasAnswered: true, failuresInRow: 0, limitsInRow: 0 };
    case "cancelled":
      return agents;
    case "limited": {
      const { message, resets_at } = outcome;
      const pending = {
        kind: "limited",
        message,
        seq,
        ...(resets_at && { resetsAt: resets_at }),
      } as const;
      return { ...agents, limitsInRow: agents.limitsInRow + 1, pending };
    }
    case "failed": {
      const kind = outcome.class === "configuration" ? "misconfigured" : "failed";
      const pending = { kind, message: outcome.message, seq } as const;
      return { ...agents, failuresInRow: agents.failuresInRow + 1, pending };
    }
  }
}

/** A failure in another worker after the wait was decided is still to be waited for, or opens the breaker. */
function afterWait(
  { pending, ...agents }: SessionState["agents"],
  { after = Number.POSITIVE_INFINITY }: FactOf<"wait">,
): SessionState["agents"] {
  return pending && pending.seq > after ? { ...agents, pending } : agents;
}

/** A session resumes: running tasks restart from the journal's head; failed and blocked ones may try again. */
function resume(
  state: SessionState,
  { sandbox, queue_attempts, ts: resumedAt }: FactOf<"session_resume"> & Stamp,
): SessionState {
  const { end: _, tampering: __, recheck: ___, repairs: ____, verification, ...rest } = state;
  // A task that a person named restarts, however often it has failed.
  const attempts = state.steering.again ? undefined : queue_attempts;
  const mayBegin = (task: TaskState) => restarts(state, task) && mayTryAgain(task, attempts);
  return {
    ...rest,
    resumedAt,
    session: { ...state.session, sandbox },
    setup: [],
    // Pictures go on counting, because the files of earlier ones stay.
    ...(verification && { verification: { ...verification, phases: {} } }),
    ...repairsAfterResume(state),
    agents: { hasAnswered: false, failuresInRow: 0, limitsInRow: 0 },
    unknownCosts: 0,
    steering: withoutRestart(state.steering),
    tasks: state.tasks.map((task) => (mayBegin(task) ? reopened(task) : task)),
  };
}

/** The list was edited while the session was stopped: a pass survives only with the same criteria (design 4). */
function reload(state: SessionState, event: FactOf<"tasks_reloaded">): SessionState {
  const { tasks, commit, tree, list_author, list_origin } = event;
  const before = new Map(state.tasks.map((task) => [task.task.id, task]));
  const next = tasks.map((task) => {
    const old = before.get(task.id);
    const isSame =
      JSON.stringify(old?.task.acceptanceCriteria) === JSON.stringify(task.acceptanceCriteria);
    return old && isSame ? { ...old, task } : newTaskState({ ...task, passes: false });
  });
  const session = {
    ...state.session,
    ...(list_author && { list_author }),
    ...(list_origin && { list_origin }),
    selected: selectedAfter(state, next),
  };
  return { ...state, session, head: commit, headTree: tree, tasks: next.sort(byOrder) };
}

/** A session that works on the whole list also works on added tasks. */
function selectedAfter({ session, tasks }: SessionState, next: readonly TaskState[]): string[] {
  const isWhole = tasks.every(({ task }) => session.selected.includes(task.id));
  return isWhole ? next.map(({ task }) => task.id) : session.selected;
}

function withTask(state: SessionState, id: string, change: (task: TaskState) => TaskState) {
  const old = taskOf(state, id);
  const changed = change(old);
  return { ...state, tasks: state.tasks.map((task) => (task === old ? changed : task)) };
}
