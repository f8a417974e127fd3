import type { StopReason } from "../../error.ts";
import type { CriterionResult, FactOf, Role, RunTask, Usage } from "./event.ts";
import type { Steering } from "./steering.ts";
import type { UsageByRole } from "./usage.ts";

/**
 * Everything that is known about a session: what the journal's events add up to, and nothing else.
 * Only `apply` makes a new one; nobody changes one (design 2).
 */
export interface SessionState {
  session: Omit<FactOf<"session_start">, "type" | "tasks">;
  startedAt: string;
  /** Number and time of the last event. Decisions take the time from here, so that they can be repeated. */
  seq: number;
  ts: string;
  /** The journal's head: the start commit, then each task's commit; and the tree it holds. */
  head: string;
  headTree: string;
  setup: readonly FactOf<"setup_end">[];
  tasks: readonly TaskState[];
  /** When a task's state, iterations or failure last changed: what a list of tasks shows. */
  tasksAt: string;
  baselines: Readonly<Record<string, FactOf<"baseline_end">>>;
  agents: AgentHealth;
  /** Longest call seen of each role, ms: work that cannot finish before the deadline is not started. */
  longestMs: Readonly<Partial<Record<Role, number>>>;
  /** What people have said on the way. */
  steering: Steering;
  tampering?: FactOf<"tampering">;
  recheck?: FactOf<"recheck_end">;
  warnings: readonly string[];
  usage: Usage;
  usageByRole: UsageByRole;
  /** US dollars by the day (UTC) on which a call ended: a budget per day asks for it. */
  spentByDay: Readonly<Record<string, number>>;
  /** Answered calls since the start or resumption that told no cost: no budget can be kept then. */
  unknownCosts: number;
  end?: { reason: StopReason; message: string; at: string };
}

/** How the agent programs are doing, over all tasks: feeds back-off, breaker and limit wait. */
export interface AgentHealth {
  hasAnswered: boolean;
  failuresInRow: number;
  /** Limit notices in a row, for the ladder when no reset time is stated. */
  limitsInRow: number;
  /** A failure that no wait has followed yet. */
  pending?: { kind: "failed" | "limited" | "misconfigured"; message: string; resetsAt?: string };
}

export const taskStatuses = ["pending", "running", "passed", "failed", "blocked"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export interface TaskState {
  task: RunTask;
  state: TaskStatus;
  /** Already passed in the list when the session took it in. */
  passedBefore: boolean;
  startedAt?: string;
  endedAt?: string;
  /** Iteration under way, from 1; of the independent subtask while one is under way. */
  iteration: number;
  /** Iterations spent in all, for reports. */
  iterations: number;
  /** Who has taken it on, where several work side by side; and how often it failed then. */
  claimed?: WorkerAssignment;
  attempts?: number;
  /** What is done right now: a call, or checks. */
  doing?: { since: string; call?: { role: Role; iteration: number } };
  /** Tree at the task's start, at the iteration's start, and now. */
  base: string;
  iterationBase: string;
  tree: string;
  /** What this iteration has achieved so far. */
  done: { implementation: boolean; tests: boolean; review: boolean };
  /** Number of the event that approved it: who is approved first lands first. */
  approvedAt?: number;
  /** The tree that was made of what the reviewer approved (`reviewed`) and the commit `onto`. */
  merged?: { tree: string; onto: string; reviewed: string };
  criteria?: { tree: string; results: readonly CriterionResult[] };
  /** Keyed by gate key and tree: nothing runs twice on one tree. */
  gates: Readonly<Record<string, FactOf<"gate_end">>>;
  /** The last answered call of this iteration. */
  lastCall?: FactOf<"agent_end">;
  lastFailure?: FactOf<"iteration_failed">;
  /** Every failed iteration, oldest first: what counts and signs are made of. */
  failures?: readonly FailureNote[];
  /** How many gate results were green and red, on whichever tree, and when the last one came. */
  gateTally?: { passed: number; failed: number; at: string };
  /** The same failure on the same tree, times in a row beyond the first. */
  repeats: number;
  /** Iterations in a row that changed nothing. */
  idleIterations: number;
  /** Reviews in a row that did not approve. */
  rejections: number;
  /** The last answered review: when, and which in a row it was, from 1. */
  lastReview?: { at: string; attempt: number };
  /** Paths that were put back in the iteration before, told to the next agent. */
  refused: readonly string[];
  subtasksDone: readonly string[];
  calls: Readonly<Partial<Record<Role, number>>>;
  usage: Usage;
  /** Body of the accepted done signal: source of notes, progress and learnings. */
  claim?: string;
  files: FactOf<"task_passed">["files"];
  isAlreadySatisfied: boolean;
  /** Where the journal stood when the task passed, `seq:hash`: a trailer of its commit (design 2). */
  anchor?: string;
  commit?: string;
  /** Why it failed or is blocked, and the tree its work was kept in. */
  message?: string;
  kept?: string;
  /** The tree that work began with: what both differ in is the task's own. */
  keptFrom?: string;
}

/** What is kept of a failed iteration; its feedback is shortened. */
export interface FailureNote {
  at: string;
  because: FactOf<"iteration_failed">["because"];
  fingerprint: string;
  feedback: string;
}

/** A worker, the commit its work tree stands at, and since when. */
export type WorkerAssignment = { worker: string; base: string; at: string };

export function newTaskState(task: RunTask): TaskState {
  return {
    task,
    state: task.passes ? "passed" : "pending",
    passedBefore: task.passes,
    iteration: 1,
    iterations: 0,
    base: "",
    iterationBase: "",
    tree: "",
    done: { implementation: false, tests: false, review: false },
    gates: {},
    repeats: 0,
    idleIterations: 0,
    rejections: 0,
    refused: [],
    subtasksDone: [],
    calls: {},
    usage: {},
    files: [],
    isAlreadySatisfied: false,
  };
}

/** Throws on an unknown id: events name only tasks of their session. */
export function taskOf(state: SessionState, id: string): TaskState {
  const found = state.tasks.find(({ task }) => task.id === id);
  if (!found) throw new Error(`The journal names task ${id}, which its session does not have.`);
  return found;
}

/** The independent subtask under way: they run before their parent, in order (compatibility 1.10). */
export function currentUnit({ task, subtasksDone }: TaskState) {
  return task.subtasks?.find(
    ({ id, independent, passes, promotedTo }) =>
      independent && !passes && !promotedTo && !subtasksDone.includes(id),
  );
}

/** Subtasks done within the parent's own work; their criteria are part of the parent's proof. */
export function checkpointsOf({ task }: TaskState) {
  return (task.subtasks ?? []).filter(
    ({ independent, passes, promotedTo }) => !independent && !passes && !promotedTo,
  );
}

/** Checkpoints that must still be signalled before the parent may pass. */
export function openCheckpoints(task: TaskState) {
  return checkpointsOf(task).filter(({ id }) => !task.subtasksDone.includes(id));
}

export const gateKey = (key: string, tree: string) => `${key}@${tree}`;

/** A pass that is journaled, but whose commit is not known to have been made. */
export function uncommittedPass(state: SessionState): TaskState | undefined {
  return state.tasks.find(
    ({ state, passedBefore, commit }) => state === "passed" && !passedBefore && !commit,
  );
}
