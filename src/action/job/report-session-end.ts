import type { RunEvent } from "../../core/state/event.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError, stopReasons } from "../../error.ts";
import { readJournal } from "../../journal/audit.ts";
import { replayJournal } from "../../journal/journal.ts";
import type { System } from "../../platform/system.ts";
import type { SessionContext } from "../../session/loop/session-context.ts";
import { type Summary, summarize } from "../../views/summary/summary.ts";
import type { Print, StepContext } from "../step.ts";
import { outputsOf, writeOutputs } from "./outputs.ts";
import { showOutcome } from "./show-outcome.ts";

/** Writes the outputs at once, so that later steps keep the session even if this process is killed. */
export function announce(session: SessionContext, print: Print): void {
  const { session_id, branch } = session.journal.state.session;
  const places = { bundle: session.folder, "session-dir": session.sessionDir };
  writeOutputs({ "session-id": session_id, branch, ...places });
  print.line(`Session ${session_id} on ${branch}`);
}

/** Reports a session's outcome as outputs, on the job's page and in its log; returns the exit code of the step. */
export async function reportSessionEnd(
  context: StepContext,
  { state, session }: { state: SessionState; session: SessionContext },
): Promise<number> {
  const events: RunEvent[] = [];
  const files = context.system.files(session.folder);
  const replay = await replayJournal(files, (event) => void events.push(event));
  const summary = summarize(state, events);
  writeOutputs({
    ...outputsOf(summary),
    "run-record": `${session.sessionDir}/run-record.json`,
    ...(replay && { "journal-digest": `${replay.end.seq}:${replay.end.hash}` }),
  });
  await showOutcome(context, { state, session, summary });
  const exitCode = stopReasons[state.end?.reason ?? "agent_error"];
  // Out of time is no failure of this step: the publishing step decides whether the work continues (design 6).
  return exitCode === stopReasons.checkpoint ? 0 : exitCode;
}

/** The same outputs for a session of an earlier run, which this run only publishes. */
export async function reportKeptSession(
  system: Pick<System, "files">,
  bundle: string,
): Promise<Summary> {
  const { state, moments, digest, broken } = await readJournal(system.files(bundle));
  if (!state || broken) {
    throw new RalphError("source", {
      message: `The kept session cannot be read: ${broken ?? "it has no journal"}.`,
      remedy: "Delete the session's artifact, then start the workflow again.",
    });
  }
  const events = moments.map(({ event }) => event);
  const summary = summarize(state, events);
  writeOutputs({ ...outputsOf(summary), bundle, ...(digest && { "journal-digest": digest }) });
  return summary;
}
