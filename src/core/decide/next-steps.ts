import type { StopReason } from "../../error.ts";
import { counted } from "../../text/figures.ts";
import { freeWorkers } from "../state/queue.ts";
import { uncommittedRepair } from "../state/repairs.ts";
import {
  type SessionState,
  type TaskState,
  taskOf,
  uncommittedPass,
} from "../state/session-state.ts";
import { describeLeftOut } from "../state/steer.ts";
import { addUsage } from "../state/usage.ts";
import { noVerification } from "../state/verification.ts";
import { describeResult } from "../verify/judge-verification.ts";
import { withinBudget } from "./budget.ts";
import { backoffMs, limitWait } from "./circuit-breaker.ts";
import { judgeGatesAtStart } from "./gates.ts";
import { mayMerge } from "./merge-queue.ts";
import type { Policy } from "./policy.ts";
import { proofStep } from "./proof-step.ts";
import { hasStep, type Step } from "./step.ts";
import { readyTasks, selectedTasks } from "./task-order.ts";
import { loopLevel, taskStep } from "./task-step.ts";
import { verifyStep } from "./verify-step.ts";

/**
 * The one decision function (design 2): the steps to start now, in addition to those in flight. Pure: the time comes
 * from the journal, so the same journal always gives the same steps. An empty answer means waiting for a running step.
 * A halt ends the session at once; any other end waits until nothing is running.
 */
export function nextSteps(
  state: SessionState,
  policy: Policy,
  inFlight: readonly Step[] = [],
): Step[] {
  if (state.end) return [];
  const urgent = halt(state) ?? (policy.parallel === 1 ? unfinishedCommit(state) : undefined);
  if (urgent) return [urgent];
  const pause = troubledAgents(state, policy) ?? setup(state, policy);
  const steps = [...(pause ? [pause] : []), ...wantedSteps(state, policy, inFlight)];
  const affordableSteps = steps.map((step) => affordable(state, policy, step));
  const isFirst = !pause && affordableSteps.some(({ kind }) => kind === "start-task");
  const check = isFirst ? checkStart(state, policy) : undefined;
  const wanted = check ? [check, ...affordableSteps] : affordableSteps;
  const startable = startableSteps(policy, wanted, inFlight);
  const next = startableBeside(state, policy, { startable, inFlight });
  if (next.length > 0 || inFlight.length > 0) {
    return [...next, ...proofsBesideReviews(state, policy, [...inFlight, ...next])];
  }
  return [wanted.find(({ kind }) => kind === "end") ?? lastStep(state, policy)];
}

/** All wanted steps; before a pause or an end only that, and steps without an agent call. */
function startableSteps(policy: Policy, wanted: Step[], inFlight: readonly Step[]): Step[] {
  if (![...wanted, ...inFlight].some(isPause)) return wanted;
  const pauses = wanted.filter((step) => isPause(step) && step.kind !== "end");
  return [...pauses, ...wanted.filter((step) => policy.parallel > 1 && callsNoAgent(step))];
}

/** The next step of every task without a running one, and new tasks for free workers. */
function wantedSteps(state: SessionState, policy: Policy, inFlight: readonly Step[]): Step[] {
  const commit = unfinishedCommit(state);
  const idle = state.tasks.filter(
    (task) =>
      task.state === "running" &&
      !hasStep(inFlight, task.task.id) &&
      mayMerge(state, task, inFlight),
  );
  const steps = idle.map((task) => taskStep(state, task, policy));
  // A task that starts now should start with what has just passed.
  return commit ? [commit, ...steps] : [...steps, ...startedTasks(state, policy, inFlight)];
}

/** Runs of the proof in a work tree of their own, while the task's reviewer reads. */
function proofsBesideReviews(
  state: SessionState,
  policy: Policy,
  inFlight: readonly Step[],
): Step[] {
  const reviews = inFlight.flatMap((step) =>
    step.kind === "call-agent" && step.role === "review" ? step.task : [],
  );
  const isAlone = (task: string) =>
    inFlight.filter((step) => "task" in step && step.task === task).length === 1;
  return reviews
    .filter(isAlone)
    .flatMap((task) => proofStep(state, taskOf(state, task), policy) ?? [])
    .filter((step) => step.kind === "run-proof" && affordable(state, policy, step) === step);
}

/** The steps that can start: none twice, and only if the budget covers the running calls as well. */
function startableBeside(
  state: SessionState,
  policy: Policy,
  { startable, inFlight }: { startable: readonly Step[]; inFlight: readonly Step[] },
): Step[] {
  const next: Step[] = [];
  for (const step of startable) {
    const others = [...inFlight, ...next];
    const isHeld =
      isInFlight(step, others) || !isCovered(state, policy, { step, inFlight: others });
    if (!isHeld) next.push(step);
  }
  return next;
}

/** The budget is checked before the time: a step the budget forbids needs no time. */
function affordable(state: SessionState, policy: Policy, wanted: Step): Step {
  const step = withinBudget(state, policy.budgets, wanted);
  return tooLate(state, policy, step) ?? step;
}

/** Repairs cost something, so they need budget and time. */
function lastStep(state: SessionState, policy: Policy): Step {
  const last = finish(state, policy);
  return isRepair(last) ? affordable(state, policy, last) : last;
}

const isRepair = ({ kind }: Step) => kind === "start-fix" || kind === "call-fixer";

const tooLateToRepair = ({ verification = noVerification }: SessionState) =>
  `Out of time before the program was repaired; every passed task is committed. ${describeResult(verification)}`;

function startedTasks(state: SessionState, policy: Policy, inFlight: readonly Step[]): Step[] {
  const ready = readyTasks(state, policy.keepGoing).map(({ task }) => task.id);
  if (policy.parallel === 1) {
    const isFree = !state.tasks.some(({ state }) => state === "running");
    return ready.slice(0, isFree ? 1 : 0).map((task) => ({ kind: "start-task", task }));
  }
  const open = ready.filter((task) => !hasStep(inFlight, task));
  const starting = inFlight.map((step) => (step.kind === "start-task" ? step.worker : undefined));
  return freeWorkers(state, starting, policy.parallel).flatMap((worker, index) => {
    const task = open[index];
    return task === undefined ? [] : [{ kind: "start-task", task, worker }];
  });
}

function halt(state: SessionState): Step | undefined {
  if (state.tampering) return end("tampering", state.tampering.message);
  if (state.recheck && state.recheck.failures.length > 0) {
    const what = state.recheck.failures.join("; ");
    return end("gate_fatal", `The resumed commit no longer holds: ${what}`);
  }
  const broken = state.setup.find(({ status }) => status !== "passed" && status !== "skipped");
  if (!broken) return undefined;
  const where = broken.worker ? ` in the work tree of ${broken.worker}` : "; nothing was started";
  return end("config", `Setup step "${broken.name}" failed${where}.`);
}

const end = (reason: StopReason, message: string): Step => ({ kind: "end", reason, message });

function unfinishedCommit(state: SessionState): Step | undefined {
  const open = uncommittedPass(state);
  if (open) return { kind: "commit", task: open.task.id };
  return uncommittedRepair(state) && { kind: "commit-fix" };
}

/** An agent program that failed or is limited: back off, wait for the reset, or open the breaker (design 4). */
function troubledAgents({ agents, ts }: SessionState, policy: Policy): Step | undefined {
  const { pending, failuresInRow, hasAnswered } = agents;
  if (!pending) return undefined;
  if (pending.kind === "misconfigured") return end("config", pending.message);
  if (pending.kind === "limited") return limitWait(agents, { ts, policy });
  if (failuresInRow >= policy.breaker.maxConsecutiveFailures) {
    const message = `The agent failed ${counted(failuresInRow, "time")} in a row: ${pending.message}`;
    return hasAnswered ? end("breaker", message) : end("agent_error", message);
  }
  const ms = backoffMs(failuresInRow, policy.breaker);
  return { kind: "wait", because: "backoff", ms, message: pending.message };
}

function setup(state: SessionState, policy: Policy): Step | undefined {
  const name = policy.setup[state.setup.filter(({ worker }) => worker === undefined).length];
  const isNeeded = name !== undefined && readyTasks(state, policy.keepGoing).length > 0;
  return isNeeded ? { kind: "setup", name } : undefined;
}

/** Before the first task starts, gates that could judge no work end the session (design 4.3). */
function checkStart(state: SessionState, policy: Policy): Step | undefined {
  if (state.tasks.some(({ startedAt }) => startedAt !== undefined)) return undefined;
  if (state.head !== state.session.start.commit) return undefined;
  const levels = loopLevel(policy) === "build" ? (["build", "full"] as const) : ["full" as const];
  for (const level of levels) {
    const verdict = judgeGatesAtStart(state, policy.gates[level]);
    if (verdict.kind === "run") return { kind: "check-start", gate: verdict.gate, level };
    if (verdict.kind === "unjudgeable") return end("gate_fatal", redAtStart(verdict));
  }
  return undefined;
}

const redAtStart = ({ gate, detail }: { gate: string; detail: string }) =>
  `Gate "${gate}" fails on the start commit, and its output names no failure to compare. No agent was called. Repair it first; set \`baseline: repair\` on the gate if the tasks are to make it green, or \`baseline: allow\` to accept it. ${detail}`;

function timeNeeded(state: SessionState, step: Step): number {
  if (step.kind === "start-fix") return state.longestMs.planning ?? 0;
  if (step.kind === "call-agent" || step.kind === "call-fixer")
    return state.longestMs[step.role] ?? 0;
  return step.kind === "wait" ? step.ms : 0;
}

/** A call that the deadline cut short counts as failed; the deadline then ends the session, not the breaker. */
const isFinal = (step: Step) =>
  step.kind === "end" && step.reason !== "breaker" && step.reason !== "agent_error";

/** Work that cannot finish before the deadline is not started (design 4). */
function tooLate(state: SessionState, policy: Policy, step: Step): Step | undefined {
  const needsMs = timeNeeded(state, step);
  const ready = Date.parse(state.ts) + needsMs;
  const passed = policy.deadlines.filter(({ at }) => ready >= at).sort((a, b) => a.at - b.at)[0];
  if (!passed || step.kind === "pass" || step.kind === "commit" || isFinal(step)) return undefined;
  if (isRepair(step)) return end(passed.reason, tooLateToRepair(state));
  const left = selectedTasks(state).filter(({ state }) => state !== "passed").length;
  return end(
    passed.reason,
    `Out of time with ${counted(left, "task")} left; every passed task is committed.`,
  );
}

/** Nothing is running and nothing can start: the end names the reason. */
function finish(state: SessionState, policy: Policy): Step {
  if (policy.verify?.isInPlace) return verifyStep(state, policy, "") ?? green(state);
  const selected = selectedTasks(state);
  const count = (state: string) => selected.filter((task) => task.state === state);
  const done = count("passed").filter(({ passedBefore }) => !passedBefore);
  const [blocked, failed] = [count("blocked"), count("failed")];
  const names = (tasks: typeof selected) => tasks.map(({ task }) => task.id).join(", ");
  const words = describeLeftOut(state);
  const left = words === "" ? "" : ` Left out: ${words}.`;
  const givenUp = names([...failed, ...blocked]);
  if (failed.length > 0) return end("task_failed", `Failed: ${givenUp}.${left}`);
  if (blocked.length > 0) return end("blocked", `Blocked: ${givenUp}.${left}`);
  const waiting = count("pending").map((task) => neededBy(state, task));
  if (waiting.length > 0) return end("blocked", `Never started: ${waiting.join(", ")}.${left}`);
  if (done.length === 0) return end("nothing_to_do", nothingLeft(words));
  const all = selected.length === 1 ? "The task passed." : `All ${selected.length} tasks passed.`;
  return verifyStep(state, policy, all) ?? end("all_done", `${all}${left}`);
}

const green = ({ verification = noVerification }: SessionState) =>
  end("all_done", describeResult(verification));

/** `T-003 (needs T-001)`: a task whose dependencies are not part of this session. */
function neededBy({ tasks }: SessionState, { task: { id, dependsOn = [] } }: TaskState): string {
  const passed = new Set(
    tasks.filter(({ state }) => state === "passed").map(({ task }) => task.id),
  );
  return `${id} (needs ${dependsOn.filter((needed) => !passed.has(needed)).join(", ")})`;
}

const nothingLeft = (leftOut: string) =>
  leftOut === ""
    ? "Every task had passed already."
    : `There is nothing to do except what is left out: ${leftOut}.`;

/** Steps that concern all tasks: while they run, nothing that costs starts. */
const isPause = ({ kind }: Step): boolean => ["wait", "setup", "check-start", "end"].includes(kind);

/** Steps without an agent call: they finish work, even while agents wait. */
const callsNoAgent = (step: Step): boolean =>
  !isPause(step) && step.kind !== "call-agent" && step.kind !== "start-task";

/** Whether the step, or another step of the same task, is running already. */
function isInFlight(step: Step, inFlight: readonly Step[]): boolean {
  if ("task" in step) return hasStep(inFlight, step.task);
  return inFlight.some(({ kind }) => kind === step.kind);
}

/** Whether the budget still holds if every running call costs the average of its role. A step that is not covered waits. */
function isCovered(
  state: SessionState,
  policy: Policy,
  { step, inFlight }: { step: Step; inFlight: readonly Step[] },
): boolean {
  const cost_usd = inFlight.reduce((sum, other) => sum + usualCost(state, other), 0);
  if (cost_usd === 0) return true;
  const day = state.ts.slice(0, 10);
  const spentByDay = { ...state.spentByDay, [day]: (state.spentByDay[day] ?? 0) + cost_usd };
  const later = { ...state, usage: addUsage(state.usage, { cost_usd }), spentByDay };
  return withinBudget(later, policy.budgets, step).kind !== "end";
}

function usualCost({ usageByRole }: SessionState, step: Step): number {
  const known = step.kind === "call-agent" ? usageByRole[step.role] : undefined;
  return known?.cost_usd === undefined ? 0 : known.cost_usd / Math.max(1, known.calls);
}
