import { nextSteps } from "../core/decide/next-steps.ts";
import type { Step } from "../core/decide/step.ts";
import type { SessionState } from "../core/state/session-state.ts";
import { RalphError } from "../error.ts";
import { cancelMessage } from "./loop/cancel-message.ts";
import { createInFlight, type InFlightSteps } from "./loop/in-flight-steps.ts";
import { record, type SessionContext, updateViews } from "./loop/session-context.ts";
import { callAgent } from "./steps/call-agent.ts";
import { checkTaskCriteria } from "./steps/check-task-criteria.ts";
import { endSession } from "./steps/end-session.ts";
import { giveUp } from "./steps/give-up.ts";
import { mergeTask } from "./steps/merge-task.ts";
import { commitPass, passSubtask, passTask } from "./steps/pass-task.ts";
import { runBaselineGate } from "./steps/run-baseline-gate.ts";
import { runLevelGate } from "./steps/run-level-gate.ts";
import { runSetupStep } from "./steps/run-setup-step.ts";
import { retry, startTask, wait } from "./steps/task-lifecycle.ts";
import { contextForStep } from "./workers/workers.ts";

/** How each step is carried out: one function a kind, which journals what happened. */
const actions: {
  [Kind in Step["kind"]]: (
    session: SessionContext,
    step: Extract<Step, { kind: Kind }>,
  ) => Promise<unknown>;
} = {
  setup: runSetupStep,
  "start-task": startTask,
  "call-agent": callAgent,
  "run-gate": runLevelGate,
  "run-baseline": runBaselineGate,
  "check-criteria": checkTaskCriteria,
  retry,
  "pass-subtask": passSubtask,
  pass: passTask,
  commit: commitPass,
  merge: mergeTask,
  "give-up": giveUp,
  wait,
  end: endSession,
};

/**
 * Decides, acts, journals, until the session has an end (design 4). Where several tasks run side by side, so do their
 * steps; the end comes when all of them have ended. Answers what it came to.
 */
export async function runTasks(session: SessionContext): Promise<SessionState> {
  const { journal, policy } = session;
  const flight = openFlight(session);
  // What cannot be shown, as beside a broken file of another tool, is told before anything is done.
  if (!journal.state.end) await endOnError(session, flight, () => updateViews(session));
  while (!journal.state.end) {
    const isCancelled = session.cancel.aborted;
    const steps = isCancelled
      ? [cancelled(session)]
      : nextSteps(journal.state, policy, flight.steps);
    await endOnError(session, flight, async () => {
      const last = steps.find(({ kind }) => kind === "end");
      if (!last) return advance(flight, steps);
      await flight.stop();
      await carryOut(session, last);
    });
  }
  return journal.state;
}

/** Its steps end when the user cancels, and when one of them must end the others. */
function openFlight(session: SessionContext): InFlightSteps {
  const stopping = new AbortController();
  const cancel = AbortSignal.any([session.cancel, stopping.signal]);
  const working = { ...session, cancel };
  return createInFlight(
    (step) => carryOut(contextForStep(working, step), step),
    () => stopping.abort(),
  );
}

async function advance(flight: InFlightSteps, steps: readonly Step[]): Promise<void> {
  for (const step of steps) flight.start(step);
  if (flight.steps.length === 0) throw new Error("Nothing is running and nothing was decided.");
  await flight.next();
}

/** What the user must act on is the end of the session too, with its own stop reason (design 7). */
async function endOnError(
  session: SessionContext,
  flight: InFlightSteps,
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    // What is under way ends first; the work it leaves is found when the session goes on.
    await flight.stop().catch(() => undefined);
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

const carryOut = <Kind extends Step["kind"]>(
  session: SessionContext,
  step: Extract<Step, { kind: Kind }>,
) => actions[step.kind as Kind](session, step);
