import { RalphError } from "../error.ts";
import { nextSteps } from "../run/next-steps.ts";
import type { Run } from "../run/run.ts";
import type { Step } from "../run/step.ts";
import { callAgent } from "./actions/call-agent.ts";
import { checkTaskCriteria } from "./actions/check-task-criteria.ts";
import { endSession } from "./actions/end-session.ts";
import { giveUp } from "./actions/give-up.ts";
import { commitPass, passSubtask, passTask } from "./actions/pass-task.ts";
import { runBaselineGate } from "./actions/run-baseline-gate.ts";
import { runLevelGate } from "./actions/run-level-gate.ts";
import { runSetupStep } from "./actions/run-setup-step.ts";
import { retry, startTask, wait } from "./actions/small-steps.ts";
import { record, type Session, updateViews } from "./session.ts";

/** How each step is carried out: one function a kind, which journals what happened. */
const actions: {
  [Kind in Step["kind"]]: (
    session: Session,
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
  "give-up": giveUp,
  wait,
  end: endSession,
};

/** Decides, acts, journals, until the session has an end (design 4). Answers what it came to. */
export async function runTasks(session: Session): Promise<Run> {
  while (!session.journal.run.end) {
    const [decided] = nextSteps(session.journal.run, session.policy, 1);
    if (!decided) throw new Error("Nothing is running and nothing was decided.");
    await endOnError(session, () =>
      carryOut(session, session.cancel.aborted ? cancelled : decided),
    );
  }
  return session.journal.run;
}

/** What the user must act on is the end of the session too, with its own stop reason (design 7). */
async function endOnError(session: Session, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof RalphError) || session.journal.run.end) throw error;
    const { reason, message } = error;
    await record(session, { type: "session_end", reason, message }, { durable: true });
    await updateViews(session);
    throw error;
  }
}

const cancelled: Step = { kind: "end", reason: "cancelled", message: "Cancelled." };

const carryOut = <Kind extends Step["kind"]>(
  session: Session,
  step: Extract<Step, { kind: Kind }>,
) => actions[step.kind as Kind](session, step);
