import type { StopReason } from "../../error.ts";
import type { CriterionResult, FactOf, RunTask } from "./event.ts";
import type { Usage } from "./measurement.ts";
import type { ProofState } from "./proof-state.ts";
import type { Repairs } from "./repairs.ts";
import type { Role } from "./roles.ts";
import type { Steering } from "./steering-command.ts";
import type { UsageByRole } from "./usage.ts";
import type { Verification } from "./verification.ts";

/** The state of a session: the sum of its journal's events. Only `apply` makes a new one, and no state ever changes (design 2). */
export interface SessionState {
  session: Omit<FactOf<"session_start">, "type" | "tasks">;
  startedAt: string;
  /** When it was last resumed. */
  resumedAt?: string;
  /** Number and time of the last event. Decisions read the time here, so that they can be repeated. */
  seq: number;
  ts: string;
  /** The journal's head, first the start commit, then each task's commit; and its tree. */
  head: string;
  headTree: string;
  setup: readonly FactOf<"setup_end">[];
  tasks: readonly TaskState[];
  /** When a task's status, iterations or failure last changed, as shown in task lists. */
  tasksAt: string;
  baselines: Readonly<Record<string, FactOf<"baseline_end">>>;
  agents: AgentHealth;
  /** Longest call of each role, ms: work that cannot finish before the deadline is not started. */
  longestMs: Readonly<Partial<Record<Role, number>>>;
  /** The effect of steering commands. */
  steering: Steering;
  tampering?: FactOf<"tampering">;
  recheck?: FactOf<"recheck_end">;
  /** Absent until user interface tests or services were verified. */
  verification?: Verification;
  /** Absent until the program was repaired. */
  repairs?: Repairs;
  warnings: readonly string[];
  usage: Usage;
  usageByRole: UsageByRole;
  /** US dollars by the day (UTC) on which a call ended, for the daily budget. */
  spentByDay: Readonly<Record<string, number>>;
  /** Answered calls since the start or resumption without a reported cost: a budget cannot be kept then. */
  unknownCosts: number;
  end?: { reason: StopReason; message: string; at: string };
}

/** The health of the agent programs over all tasks, for back-off, circuit breaker and limit waits. */
export interface AgentHealth {
  hasAnswered: boolean;
  failuresInRow: number;
  /** Limit notices in a row, for the waits without a stated reset time. */
  limitsInRow: number;
  /** A failure that has not been waited for yet, by the number of its event. */
  pending?: {
    kind: "failed" | "limited" | "misconfigured";
    message: string;
    resetsAt?: string;
    seq: number;
  };
}

export const taskStatuses = ["pending", "running", "passed", "failed", "blocked"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export interface TaskState {
  task: RunTask;
  state: TaskStatus;
  /** Passed in the list already when the session started. */
  passedBefore: boolean;
  startedAt?: string;
  endedAt?: string;
  /** The current iteration, from 1; while an independent subtask runs, the subtask's. */
  iteration: number;
  /** Iterations in total, for reports. */
  iterations: number;
  /** In parallel sessions: the worker that has the task, and how often it has failed. */
  claimed?: WorkerAssignment;
  attempts?: number;
  /** The current activity: a call, or checks. */
  doing?: { since: string; call?: { role: Role; iteration: number } };
  /** Tree at the task's start, at the iteration's start, and now. */
  base: string;
  iterationBase: string;
  tree: string;
  /** The valid done signals of this iteration. */
  done: { implementation: boolean; tests: boolean; review: boolean };
  /** The tree after the last finished role of this iteration: a resumed session continues on it. */
  checkpoint?: Checkpoint;
  /** Number of the event that approved it: tasks merge in order of approval. */
  approvedAt?: number;
  /** The merge of the approved tree (`reviewed`) with the commit `onto`. */
  merged?: { tree: string; onto: string; reviewed: string };
  criteria?: { tree: string; results: readonly CriterionResult[] };
  /** Keyed by gate key and tree: nothing runs twice on one tree. */
  gates: Readonly<Record<string, FactOf<"gate_end">>>;
  /** Every run of a gate that was red on its tree at first, oldest first, under the same keys. */
  gateRuns?: Readonly<Record<string, readonly FactOf<"gate_end">[]>>;
  /** How often gates with `fixes: true` changed the work in this iteration. */
  fixes?: number;
  /** Tests first: what the work tree holds now, and both parts of the work. */
  parts?: WorkParts;
  /** The proof of this work so far. */
  proof?: ProofState;
  /** The last answered call of this iteration. */
  lastCall?: FactOf<"agent_end">;
  lastFailure?: FactOf<"iteration_failed">;
  /** Every failed iteration, oldest first: the source of counts and lessons. */
  failures?: readonly FailureNote[];
  /** The number of green and red gate results on all trees, and the time of the last one. */
  gateTally?: { passed: number; failed: number; at: string };
  /** Repetitions in a row of the same failure on the same tree, beyond the first. */
  repeats: number;
  /** Failures in a row with the same output, whatever the work; 0 after one that has a limit of its own. */
  sameFailures: number;
  /** Iterations in a row that changed nothing. */
  idleIterations: number;
  /** Reviews in a row that did not approve. */
  rejections: number;
  /** The last answered review: its time, and its number in a row, from 1. */
  lastReview?: { at: string; attempt: number };
  /** Paths put back in the previous iteration, listed in the next prompt. */
  refused: readonly string[];
  subtasksDone: readonly string[];
  calls: Readonly<Partial<Record<Role, number>>>;
  usage: Usage;
  /** Body of the accepted done signal: the source of notes, progress and learnings. */
  claim?: string;
  files: FactOf<"task_passed">["files"];
  isAlreadySatisfied: boolean;
  /** The journal's position when the task passed, `seq:hash`: a trailer of its commit (design 2). */
  anchor?: string;
  commit?: string;
  /** Why it failed or is blocked, and the tree that keeps its work. */
  message?: string;
  kept?: string;
  /** The tree that work started from: the difference is the task's own work. */
  keptFrom?: string;
}

/** The two parts of a task's work with tests first: `tests` is the base with the tests, `work` lacks them. */
export type WorkParts = Pick<FactOf<"work_shown">, "part" | "tests" | "work" | "paths">;

/** Finished work of an iteration: where it started, what came out, and which roles have ended. */
export interface Checkpoint {
  base: string;
  tree: string;
  done: { implementation: boolean; tests: boolean };
  parts?: WorkParts;
  claim?: string | undefined;
}

/** The record of a failed iteration; its feedback is shortened. */
export interface FailureNote {
  at: string;
  because: FactOf<"iteration_failed">["because"];
  fingerprint: string;
  feedback: string;
}

/** A worker, the commit of its work tree, and the time of the claim. */
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
    sameFailures: 0,
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

/** The current independent subtask: they run before their parent, in order (compatibility 1.10). */
export function currentUnit({ task, subtasksDone }: TaskState) {
  return task.subtasks?.find(
    ({ id, independent, passes, promotedTo }) =>
      independent && !passes && !promotedTo && !subtasksDone.includes(id),
  );
}

/** Subtasks that are part of the parent's own work; their criteria are part of the parent's proof. */
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

/** A journaled pass without a journaled commit. */
export function uncommittedPass(state: SessionState): TaskState | undefined {
  return state.tasks.find(
    ({ state, passedBefore, commit }) => state === "passed" && !passedBefore && !commit,
  );
}
