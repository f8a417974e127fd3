import { nextSteps } from "../core/decide/next-steps.ts";
import type { Step } from "../core/decide/step.ts";
import type { SessionState } from "../core/state/session-state.ts";
import { RalphError } from "../error.ts";
import { cancelMessage } from "./loop/cancel-message.ts";
import { record, type SessionContext, updateViews } from "./loop/session-context.ts";
import { planProof } from "./proof/plan-proof.ts";
import { askTests, recordProof, runProof } from "./proof/run-proof.ts";
import { showWork } from "./proof/show-work.ts";
import { callFixer } from "./repair/call-fixer.ts";
import { checkFix, endFix, startFix } from "./repair/check-fix.ts";
import { callAgent } from "./steps/call-agent.ts";
import { checkTaskCriteria } from "./steps/check-task-criteria.ts";
import { commitFix } from "./steps/commit-fix.ts";
import { mergeTask } from "./steps/merge-task.ts";
import { commitPass, passSubtask, passTask } from "./steps/pass-task.ts";
import { runBaselineGate } from "./steps/run-baseline-gate.ts";
import { runLevelGate } from "./steps/run-level-gate.ts";
import { runSetupStep } from "./steps/run-setup-step.ts";
import { endSession, giveUp, retry, startTask, wait } from "./steps/task-lifecycle.ts";
import { verifySession } from "./steps/verify-session.ts";
import { keepPackages } from "./workers/kept-packages.ts";
import { contextForStep } from "./workers/workers.ts";

/** The action for each kind of step; it journals what happened. */
const actions: {
  [Kind in Step["kind"]]: (
    session: SessionContext,
    step: Extract<Step, { kind: Kind }>,
  ) => Promise<unknown>;
} = {
  setup: runSetupStep,
  "check-start": runBaselineGate,
  "start-task": startTask,
  "call-agent": callAgent,
  "run-gate": runLevelGate,
  "run-baseline": runBaselineGate,
  "check-criteria": checkTaskCriteria,
  "show-work": showWork,
  "plan-proof": planProof,
  "run-proof": runProof,
  "ask-tests": askTests,
  "judge-proof": recordProof,
  retry,
  "pass-subtask": passSubtask,
  pass: passTask,
  commit: commitPass,
  merge: mergeTask,
  "give-up": giveUp,
  wait,
  verify: verifySession,
  "start-fix": startFix,
  "call-fixer": callFixer,
  "check-fix": checkFix,
  "end-fix": endFix,
  "commit-fix": commitFix,
  end: endSession,
};

/** Decides, acts and journals until the session ends (design 4). Steps of parallel tasks run in parallel. Answers the final state. */
export async function runTasks(session: SessionContext): Promise<SessionState> {
  const { journal, policy } = session;
  const inFlight = openInFlight(session);
  if (!journal.state.end && !policy.verify?.isInPlace) await keepPackages(session);
  // A view that fails, such as a broken file of another tool, is reported before any work is done.
  if (!journal.state.end) await endOnError(session, inFlight, () => updateViews(session));
  while (!journal.state.end) {
    const isCancelled = session.cancel.aborted;
    const steps = isCancelled
      ? [cancelled(session)]
      : nextSteps(journal.state, policy, inFlight.steps);
    await endOnError(session, inFlight, async () => {
      const last = steps.find(({ kind }) => kind === "end");
      if (!last) return advance(inFlight, steps);
      await inFlight.stop();
      await runStep(session, last);
    });
  }
  return journal.state;
}

/** Its steps end when the user cancels, and when one of them must end the others. */
function openInFlight(session: SessionContext): InFlightSteps {
  const stopping = new AbortController();
  const cancel = AbortSignal.any([session.cancel, stopping.signal]);
  const working = { ...session, cancel };
  return createInFlight(
    (step) => runStep(contextForStep(working, step), step),
    () => stopping.abort(),
  );
}

async function advance(inFlight: InFlightSteps, steps: readonly Step[]): Promise<void> {
  for (const step of steps) inFlight.start(step);
  if (inFlight.steps.length === 0) throw new Error("Nothing is running and nothing was decided.");
  await inFlight.next();
}

/** An error the user must act on ends the session, with its own stop reason (design 7). */
async function endOnError(
  session: SessionContext,
  inFlight: InFlightSteps,
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    // Running steps end first; the session finds their work when it resumes.
    await inFlight.stop().catch(() => undefined);
    if (!(error instanceof RalphError) || session.journal.state.end) throw error;
    const { reason, message } = error;
    await record(session, { type: "session_end", reason, message }, { durable: true });
    await updateViews(session);
    throw error;
  }
}

const cancelled = ({ cancel }: SessionContext): Step => ({
  kind: "end",
  reason: "cancelled",
  message: cancelMessage(cancel),
});

async function runStep<Kind extends Step["kind"]>(
  session: SessionContext,
  step: Extract<Step, { kind: Kind }>,
): Promise<void> {
  const ended = session.views.began?.(step);
  try {
    await actions[step.kind as Kind](session, step);
  } finally {
    ended?.();
  }
}

/** Steps that run in parallel. */
interface InFlightSteps {
  readonly steps: readonly Step[];
  start: (step: Step) => void;
  /** Resolves when one of them has ended; rejects with its error. */
  next: () => Promise<void>;
  /** Asks all of them to end, and resolves when they have; rejects with the error of one. */
  stop: () => Promise<void>;
}

/** `act` runs a step; `abort` asks all of them to end. */
export function createInFlight(
  act: (step: Step) => Promise<unknown>,
  abort: () => void,
): InFlightSteps {
  const running = new Map<Step, Promise<void>>();
  return {
    get steps() {
      return [...running.keys()];
    },
    start: (step) => {
      const carriedOut = act(step).then(() => void running.delete(step));
      running.set(step, carriedOut);
    },
    next: () => Promise.race(running.values()),
    stop: async () => {
      if (running.size > 0) abort();
      const ends = await Promise.allSettled(running.values());
      running.clear();
      const broken = ends.find(({ status }) => status === "rejected");
      if (broken?.status === "rejected") throw broken.reason;
    },
  };
}
