import { runAgent } from "../../agents/call/run-agent.ts";
import { renderFixPrompt } from "../../agents/prompts/prompt-fix.ts";
import { readSignal } from "../../core/checks/signal.ts";
import { priced, priceOf } from "../../core/decide/price.ts";
import type { AgentOutcome } from "../../core/state/event.ts";
import type { Verification } from "../../core/state/verification.ts";
import type { VerifyPhase } from "../../core/state/verify-event.ts";
import {
  type FixAttempt,
  type FixLimits,
  type FixStep,
  failureOf,
  nextFix,
} from "../../core/verify/next-fix.ts";
import type { StopReason } from "../../error.ts";
import { resetTo } from "../../git/worktree/reset.ts";
import { agentDeps, callOf } from "../loop/agent-deps.ts";
import { collectChanges } from "../loop/collect-changes.ts";
import { guardUserGit } from "../loop/guard-user-git.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { newToken } from "../loop/session-id.ts";

type FixRole = "planning" | "fix";

/** The progress of the fix loop. */
export interface FixListener {
  attempt: (phase: VerifyPhase, iteration: number, limit: number) => void;
  called: (role: FixRole, text: string) => void;
  remark: (text: string) => void;
}

export interface FixLoop {
  session: SessionContext;
  limits: FixLimits;
  /** Verifies the work tree; the result of that alone. */
  verify: () => Promise<Verification>;
  /** A reason to stop before money is spent; US dollars so far, undefined when a call did not say. */
  mayCall: (usd: number | undefined) => FixEnd | undefined;
  listener: FixListener;
}

export type FixEnd = { reason: StopReason; message: string };
export type FixOutcome = {
  verification: Verification;
  fixes: number;
  usd: number;
  stopped?: FixEnd | undefined;
};

interface Progress {
  /** The work so far. */
  tree: string;
  verification: Verification;
  attempts: FixAttempt[];
  /** For the next prompts. */
  notes: string[];
  /** US dollars of each call; undefined for one that did not say. */
  costs: (number | undefined)[];
}

/**
 * Verify, plan, repair, verify again, until everything is green or a limit is reached (design 4). A repair that breaks a
 * gate is taken back. The last work stays in the work tree.
 */
export async function runFixLoop(loop: FixLoop): Promise<FixOutcome> {
  const { session, listener, limits } = loop;
  const { headTree: tree } = session.journal.state;
  const verification = await loop.verify();
  const progress: Progress = { tree, verification, attempts: [], notes: [], costs: [] };
  while (!session.cancel.aborted) {
    const step = nextFix(progress.verification, progress.attempts, limits);
    if (step.kind === "give-up") listener.remark(step.message);
    if (step.kind !== "fix") return outcomeOf(progress);
    const stopped = await repairOnce(loop, progress, step);
    if (stopped) return outcomeOf(progress, stopped);
  }
  const message = "Cancelled; the repairs so far are in the work tree.";
  return outcomeOf(progress, { reason: "cancelled", message });
}

const outcomeOf = ({ verification, attempts, costs }: Progress, stopped?: FixEnd): FixOutcome => ({
  ...{ verification, fixes: attempts.length, stopped },
  usd: costs.reduce<number>((sum, each) => sum + (each ?? 0), 0),
});

async function repairOnce(
  loop: FixLoop,
  progress: Progress,
  { phase, iteration }: Extract<FixStep, { kind: "fix" }>,
): Promise<FixEnd | undefined> {
  const { verification: before, tree, notes, costs, attempts } = progress;
  const isKnown = !costs.includes(undefined);
  const stop = loop.mayCall(isKnown ? outcomeOf(progress).usd : undefined);
  if (stop) return stop;
  loop.listener.attempt(phase, iteration, loop.limits[phase]);
  const failure = failureOf(before, phase);
  const repair = await callFixers(loop, {
    phase,
    failure,
    notes,
    tree,
    attempt: attempts.length + 1,
  });
  costs.push(...repair.costs);
  if (repair.stopped) return repair.stopped;
  notes.push(...repair.notes);
  progress.tree = repair.tree;
  progress.verification = await loop.verify();
  attempts.push({ phase, failure: failureOf(progress.verification, phase), tree: repair.tree });
  await takeBack(loop, progress, { before, tree });
  return undefined;
}

/** A repair that turns a gate red is worth less than the failure it was meant for. */
async function takeBack(
  { session, listener, verify }: FixLoop,
  progress: Progress,
  { before, tree }: { before: Verification; tree: string },
): Promise<void> {
  const isBroken = progress.verification.phases.gates?.status === "failed";
  if (!isBroken || before.phases.gates?.status !== "passed" || session.cancel.aborted) return;
  const gates = failureOf(progress.verification, "gates");
  progress.notes.push(`A repair was taken back, because it broke a gate: ${gates}`);
  listener.remark("The repair broke a gate and was taken back.");
  await resetTo(session.repo, tree);
  progress.tree = tree;
  progress.verification = await verify();
}

type Task = {
  phase: VerifyPhase;
  failure: string;
  notes: readonly string[];
  tree: string;
  attempt: number;
};
type Repair = {
  tree: string;
  notes: string[];
  costs: (number | undefined)[];
  stopped?: FixEnd | undefined;
};

/** The planner reads and plans, then the fixer repairs. */
async function callFixers(loop: FixLoop, task: Task): Promise<Repair> {
  const planned = await callFixer(loop, { ...task, role: "planning", plan: undefined });
  const { costs: planningCosts, stopped } = planned;
  if (stopped) return { tree: task.tree, notes: [], costs: planningCosts, stopped };
  const plan = planned.body ?? "The planner gave no plan; find the cause yourself.";
  const fixed = await callFixer(loop, { ...task, role: "fix", plan });
  const costs = [...planningCosts, ...fixed.costs];
  const refused = fixed.refused.slice(0, 20).join(", ");
  return {
    tree: fixed.tree,
    costs,
    stopped: fixed.stopped,
    notes: refused === "" ? [] : [`These changes were put back: ${refused}`],
  };
}

type Call = Task & { role: FixRole; plan: string | undefined };
type Called = {
  tree: string;
  body: string | undefined;
  refused: string[];
  costs: (number | undefined)[];
  stopped?: FixEnd | undefined;
};

/** One call, from its prompt to its collected changes; a token of its own (T48, T49). */
async function callFixer({ session, listener }: FixLoop, call: Call): Promise<Called> {
  const { role, tree, attempt } = call;
  const { system, config } = session;
  const token = newToken(session.journal.state.session.session_id, system);
  const prompt = renderFixPrompt(role, {
    fence: { boundary: system.randomHex(8), token },
    project: session.journal.state.session.project,
    phase: call.phase,
    failure: call.failure,
    feedback: call.notes.length === 0 ? undefined : call.notes.slice(-5).join("\n"),
    plan: call.plan,
    tests: config.test_paths,
  });
  const request = callOf(session, { role, taskId: "verify", attempt });
  const putBackGit = await guardUserGit(session);
  const answer = await runAgent(agentDeps(session, token), { ...request, prompt });
  await putBackGit();
  const { refused, ...collected } = await collectChanges(session, { role, tree });
  const usage = priced(answer.usage, priceOf(config.pricing, request.model));
  const signal = readSignal(answer.finalMessage, { role, token });
  listener.called(role, describeCall(answer.outcome, signal.kind, refused));
  return {
    tree: collected.tree,
    body: signal.kind === "valid" ? signal.body : undefined,
    refused,
    costs: [usage.cost_usd],
    stopped: stopAfter(answer.outcome),
  };
}

function describeCall(outcome: AgentOutcome, signal: string, refused: readonly string[]): string {
  const said = outcome.kind === "answered" ? `answered, signal ${signal}` : outcome.kind;
  const reverted = refused.length === 0 ? "" : `, reverted: ${refused.slice(0, 5).join(" ")}`;
  return `${said}${reverted}`;
}

/** A program that does not work is not called again and again. */
function stopAfter(outcome: AgentOutcome): FixEnd | undefined {
  if (outcome.kind === "answered") return undefined;
  if (outcome.kind === "cancelled") return { reason: "cancelled", message: "Cancelled." };
  if (outcome.kind === "limited") return { reason: "checkpoint", message: outcome.message };
  const reason = outcome.class === "configuration" ? "config" : "agent_error";
  return { reason, message: `The agent failed: ${outcome.message}` };
}
