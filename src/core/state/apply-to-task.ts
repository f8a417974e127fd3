import { checkpointOf, continued, partsAfter, workShown } from "./checkpoint.ts";
import type { FactOf, Stamp } from "./event.ts";
import { applyProof, noProof } from "./proof-state.ts";
import { sameFailuresAfter } from "./same-failures.ts";
import { gateKey, newTaskState, type TaskState } from "./session-state.ts";
import { addUsage } from "./usage.ts";

type TaskFact = FactOf<
  | "task_start"
  | "agent_start"
  | "gate_end"
  | "gate_fixed"
  | "criteria_end"
  | "work_shown"
  | "proof_planned"
  | "proof_gate_end"
  | "proof_judged"
  | "proof_asked"
  | "iteration_failed"
  | "subtask_passed"
  | "task_merged"
  | "task_passed"
  | "task_failed"
  | "task_blocked"
>;

/** Applies one event to its task. */
export function applyToTask(task: TaskState, event: TaskFact & Stamp): TaskState {
  switch (event.type) {
    case "task_start": {
      const { tree } = event;
      const fresh = { state: "running", base: tree, iterationBase: tree, tree } as const;
      const kept = event.resumed === task.checkpoint?.tree ? task.checkpoint : undefined;
      return {
        ...task,
        ...fresh,
        ...(kept && continued(kept)),
        startedAt: task.startedAt ?? event.ts,
        doing: since(event),
      };
    }
    case "agent_start":
      return {
        ...task,
        calls: { ...task.calls, [event.role]: (task.calls[event.role] ?? 0) + 1 },
        doing: { ...since(event), call: { role: event.role, iteration: event.iteration } },
      };
    case "gate_end":
      return gateEnded(task, event);
    case "gate_fixed":
      return gateFixed(task, event);
    case "criteria_end":
      return { ...task, criteria: { tree: event.tree, results: event.results } };
    case "work_shown":
      return workShown(task, event);
    case "proof_planned":
    case "proof_gate_end":
    case "proof_judged":
      return { ...task, proof: applyProof(task.proof ?? noProof, event) };
    case "proof_asked":
      return testsAsked(task, event);
    case "iteration_failed":
      return iterationFailed(task, event);
    case "subtask_passed":
      return subtaskPassed(task, event);
    case "task_merged":
      return taskMerged(task, event);
    case "task_passed":
      return {
        ...ended(task, "passed", event.ts),
        files: event.files,
        anchor: `${event.seq - 1}:${event.prev}`,
        isAlreadySatisfied: event.already_satisfied,
        iterations: task.iterations + 1,
        gates: Object.fromEntries(
          Object.entries(task.gates).filter(([, { tree }]) => tree === event.tree),
        ),
      };
    case "task_failed":
    case "task_blocked": {
      const { message, kept } = event;
      const state = event.type === "task_failed" ? "failed" : "blocked";
      const work = { message, ...(kept && keptWork(task, kept)) };
      return { ...ended(task, state, event.ts), ...work, ...tried(task) };
    }
  }
}

function gateEnded(task: TaskState, event: FactOf<"gate_end"> & Stamp): TaskState {
  const key = gateKey(event.key, event.tree);
  const before = task.gateRuns?.[key] ?? [];
  const isRed = event.status !== "passed" && event.status !== "skipped";
  const isKept = isRed || before.length > 0;
  return {
    ...task,
    gates: { ...task.gates, [key]: event },
    ...(isKept && { gateRuns: { ...task.gateRuns, [key]: [...before, event] } }),
    ...tallied(task, event),
  };
}

/** An approval stays: the gate's command comes from the start commit, not from an agent. */
function gateFixed(task: TaskState, { from, tree }: FactOf<"gate_fixed">): TaskState {
  const merged = task.merged?.tree === from ? { merged: { ...task.merged, tree } } : {};
  return { ...task, ...merged, tree, fixes: (task.fixes ?? 0) + 1 };
}

/** The parent, or its next independent subtask, starts its own loop with fresh counts. */
function subtaskPassed(before: TaskState, event: FactOf<"subtask_passed">): TaskState {
  const { lastCall: _, criteria: __, lastFailure: ___, ...task } = before;
  return {
    ...task,
    ...nextIteration(event.tree),
    iteration: 1,
    iterations: task.iterations + 1,
    repeats: 0,
    sameFailures: 0,
    idleIterations: 0,
    subtasksDone: [...task.subtasksDone, event.subtask],
  };
}

/** The test writer is called again for the same work; the implementation stays, and no iteration is spent. */
function testsAsked(before: TaskState, event: FactOf<"proof_asked"> & Stamp): TaskState {
  const { lastCall: _, ...task } = before;
  const proof = applyProof(task.proof ?? noProof, event);
  return { ...task, proof, done: { ...task.done, tests: false, review: false } };
}

const since = ({ ts }: Stamp) => ({ since: ts });

function ended({ doing: _, ...task }: TaskState, state: TaskState["state"], endedAt: string) {
  return { ...task, state, endedAt };
}

/** In parallel sessions the queue limits how often a task may fail. */
const tried = ({ claimed, attempts = 0 }: TaskState) => claimed && { attempts: attempts + 1 };

/** The approval stays, because the reviewer has seen the work; gates and criteria run again on the merge. */
function taskMerged(task: TaskState, { tree, onto, base }: FactOf<"task_merged">): TaskState {
  const reviewed = task.merged?.tree === task.tree ? task.merged.reviewed : task.tree;
  return { ...task, base, tree, merged: { tree, onto, reviewed } };
}

/** The tree that keeps a task's work, and the tree it started from. */
export const keptWork = ({ base }: TaskState, kept: string) => ({
  kept,
  ...(base !== "" && { keptFrom: base }),
});

/** The state at the start of an iteration; criteria and review are judged again. */
const nextIteration = (tree: string) => ({
  iterationBase: tree,
  done: { implementation: false, tests: false, review: false },
});

/** A skipped gate counts as neither passed nor failed. */
function tallied({ gateTally }: TaskState, { status, ts: at }: FactOf<"gate_end"> & Stamp) {
  if (status === "skipped") return {};
  const { passed = 0, failed = 0 } = gateTally ?? {};
  const isGreen = status === "passed";
  return {
    gateTally: { passed: passed + (isGreen ? 1 : 0), failed: failed + (isGreen ? 0 : 1), at },
  };
}

/** Longest feedback kept in the state; the journal has all of it. */
const maxNote = 600;

const noteOf = ({ ts, because, fingerprint, feedback }: FactOf<"iteration_failed"> & Stamp) => ({
  at: ts,
  because,
  fingerprint: fingerprint.slice(0, maxNote),
  feedback: feedback.slice(0, maxNote),
});

function iterationFailed(before: TaskState, event: FactOf<"iteration_failed"> & Stamp): TaskState {
  const {
    lastCall: _,
    criteria: __,
    approvedAt: ___,
    merged: ____,
    fixes: _____,
    checkpoint: ______,
    parts,
    ...task
  } = before;
  const last = task.lastFailure;
  const isSame =
    last?.because === event.because &&
    last.fingerprint === event.fingerprint &&
    last.tree === event.tree;
  const isIdle = event.tree === task.iterationBase;
  return {
    ...task,
    ...nextIteration(event.tree),
    // A task that cannot be merged restarts on the others' work.
    ...(event.because === "merge" ? { base: event.tree, tree: event.tree } : parts && { parts }),
    iteration: task.iteration + 1,
    iterations: task.iterations + 1,
    lastFailure: event,
    failures: [...(task.failures ?? []), noteOf(event)],
    repeats: isSame ? task.repeats + 1 : 0,
    sameFailures: sameFailuresAfter(task, event),
    idleIterations: isIdle ? task.idleIterations + 1 : 0,
    rejections: event.because === "review" ? task.rejections + 1 : task.rejections,
  };
}

/** Applies a finished call to its task: only an answered call can advance the iteration. */
export function taskAfterCall(task: TaskState, event: FactOf<"agent_end"> & Stamp): TaskState {
  const counted = {
    ...task,
    doing: since(event),
    tree: event.tree,
    ...(task.parts && { parts: partsAfter(task.parts, event) }),
    refused: event.refused,
    usage: addUsage(task.usage, event.usage),
  };
  if (event.outcome.kind === "failed" && event.outcome.class === "agent") {
    return { ...counted, iteration: task.iteration + 1, iterations: task.iterations + 1 };
  }
  return event.outcome.kind === "answered" ? answered(counted, event) : counted;
}

function answered(task: TaskState, event: FactOf<"agent_end"> & Stamp): TaskState {
  const { role, ts: at } = event;
  const next = {
    ...task,
    ...(role === "review" && { lastReview: { at, attempt: task.rejections + 1 } }),
    lastCall: event,
    subtasksDone: [...new Set([...task.subtasksDone, ...event.subtasks_done])],
  };
  if (event.signal.kind !== "valid" || event.trespassed.length > 0) return next;
  const { name, body } = event.signal;
  if (name === "task-done") {
    const done = { ...next.done, implementation: true };
    return { ...next, claim: body, done, ...checkpointOf(next, { done, claim: body }) };
  }
  if (name === "tests-done") {
    const done = { ...next.done, tests: true };
    return { ...next, done, ...checkpointOf(next, { done, claim: next.claim }) };
  }
  if (name !== "review-approved") return next;
  const done = { ...next.done, review: true };
  return { ...next, rejections: 0, approvedAt: event.seq, done };
}

/** A running task when its session resumes: it restarts from the head or from the finished work of its iteration. */
export function reopened(task: TaskState): TaskState {
  const { iterations, calls, usage, kept, keptFrom, startedAt, lastFailure, failures } = task;
  const { attempts, gateTally } = task;
  const isRunning = task.state === "running";
  const iteration = isRunning ? task.iteration : 1;
  return {
    ...newTaskState(task.task),
    iteration,
    iterations,
    calls,
    usage,
    ...(isRunning && task.checkpoint && { checkpoint: task.checkpoint }),
    ...(attempts && { attempts }),
    ...(kept && { kept }),
    ...(keptFrom && { keptFrom }),
    ...(startedAt && { startedAt }),
    ...(lastFailure && { lastFailure }),
    ...(failures && { failures }),
    ...(gateTally && { gateTally }),
  };
}
