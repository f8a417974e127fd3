import type { StopReason } from "../error.ts";
import { backoffMs, limitWait } from "./breaker.ts";
import { withinBudget } from "./budget.ts";
import { counted } from "./counted.ts";
import { readyTasks, selectedTasks } from "./order.ts";
import type { Policy } from "./policy.ts";
import { type Run, uncommittedPass } from "./run.ts";
import type { Step } from "./step.ts";
import { taskStep } from "./task-step.ts";

/**
 * The one decision function (design 2): what to do now, at most `free` new steps. Pure: the time is the run's
 * own, so the same journal always decides the same. An empty answer means: nothing before a running step ends.
 */
export function nextSteps(run: Run, policy: Policy, free: number): Step[] {
  if (run.end || free < 1) return [];
  const urgent = halt(run) ?? unfinishedCommit(run);
  if (urgent) return [urgent];
  const first = troubledAgents(run, policy) ?? setup(run, policy);
  if (first) return [affordable(run, policy, first)];
  const running = run.tasks.filter(({ state }) => state === "running");
  const steps = running.map((task) => taskStep(run, task, policy)).slice(0, free);
  const next = [...steps, ...startedTasks(run, policy, free - steps.length)];
  if (next.length === 0) return [finish(run)];
  return next.map((step) => affordable(run, policy, step));
}

/** Money first, then time: a step that is not paid for needs no time. */
function affordable(run: Run, policy: Policy, wanted: Step): Step {
  const step = withinBudget(run, policy.budgets, wanted);
  return tooLate(run, policy, step) ?? step;
}

function startedTasks(run: Run, policy: Policy, free: number): Step[] {
  if (free < 1) return [];
  const ready = readyTasks(run, policy.keepGoing).slice(0, free);
  return ready.map(({ task }) => ({ kind: "start-task", task: task.id }));
}

function halt(run: Run): Step | undefined {
  if (run.tampering) return end("tampering", run.tampering.message);
  if (run.recheck && run.recheck.failures.length > 0) {
    const what = run.recheck.failures.join("; ");
    return end("gate_fatal", `The resumed commit no longer holds: ${what}`);
  }
  const broken = run.setup.find(({ status }) => status !== "passed" && status !== "skipped");
  return broken && end("config", `Setup step "${broken.name}" failed; nothing was started.`);
}

const end = (reason: StopReason, message: string): Step => ({ kind: "end", reason, message });

function unfinishedCommit(run: Run): Step | undefined {
  const open = uncommittedPass(run);
  return open && { kind: "commit", task: open.task.id };
}

/** An agent program that failed or is limited: back off, wait for the reset, or open the breaker (design 4). */
function troubledAgents({ agents, ts }: Run, policy: Policy): Step | undefined {
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

function setup(run: Run, policy: Policy): Step | undefined {
  const name = policy.setup[run.setup.length];
  const isNeeded = name !== undefined && readyTasks(run, policy.keepGoing).length > 0;
  return isNeeded ? { kind: "setup", name } : undefined;
}

function timeNeeded(run: Run, step: Step): number {
  if (step.kind === "call-agent") return run.longestMs[step.role] ?? 0;
  return step.kind === "wait" ? step.ms : 0;
}

/** A call that the deadline cut short counts as a failed one; the deadline is the truth then, not the breaker. */
const isFinal = (step: Step) =>
  step.kind === "end" && step.reason !== "breaker" && step.reason !== "agent_error";

/** Work that cannot finish before the deadline is not started (design 4). */
function tooLate(run: Run, policy: Policy, step: Step): Step | undefined {
  const needsMs = timeNeeded(run, step);
  const ready = Date.parse(run.ts) + needsMs;
  const passed = policy.deadlines.filter(({ at }) => ready >= at).sort((a, b) => a.at - b.at)[0];
  if (!passed || step.kind === "pass" || isFinal(step)) return undefined;
  const left = selectedTasks(run).filter(({ state }) => state !== "passed").length;
  return end(
    passed.reason,
    `Out of time with ${counted(left, "task")} left; every passed task is committed.`,
  );
}

/** Nothing is running and nothing can start: say why, honestly. */
function finish(run: Run): Step {
  const selected = selectedTasks(run);
  const count = (state: string) => selected.filter((task) => task.state === state);
  const done = count("passed").filter(({ passedBefore }) => !passedBefore);
  const [blocked, failed] = [count("blocked"), count("failed")];
  const names = (tasks: typeof selected) => tasks.map(({ task }) => task.id).join(", ");
  if (failed.length > 0) return end("task_failed", `Failed: ${names([...failed, ...blocked])}.`);
  if (blocked.length > 0) return end("blocked", `Blocked: ${names(blocked)}.`);
  if (done.length === 0) return end("nothing_to_do", "Every task had passed already.");
  return end(
    "all_done",
    selected.length === 1 ? "The task passed." : `All ${selected.length} tasks passed.`,
  );
}
