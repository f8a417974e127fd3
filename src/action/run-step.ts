import { type RunOutcome, runProject } from "../door/run-project.ts";
import { stopReasons } from "../error.ts";
import { replayJournal } from "../journal/journal.ts";
import type { Session } from "../loop/session.ts";
import type { RunEvent } from "../run/event.ts";
import { summarize } from "../surfaces/views/summary.ts";
import { workflowCommand } from "../surfaces/views/workflow-command.ts";
import { withIdentity } from "./bot-identity.ts";
import { downloadedBundle } from "./downloaded-bundle.ts";
import { createLiveLog } from "./live-log.ts";
import { makeConfigFor } from "./make-config.ts";
import { outputsOf, writeOutputs } from "./outputs.ts";
import type { Print } from "./print.ts";
import { directoryOf, requestOf, sessionSystem } from "./request.ts";
import { requireKeys } from "./require-keys.ts";
import { showOutcome } from "./show-outcome.ts";
import type { StepContext } from "./step.ts";
import { tellProtection } from "./tell-protection.ts";
import { removeAndTell } from "./tell-removed.ts";

/** The run step: the loop over the task list, with this job's log, outputs and page as its surfaces. */
export async function runStep(context: StepContext): Promise<number> {
  const { inputs, print, cancel } = context;
  const directory = directoryOf(inputs, context.system.env);
  // First of all: what is removed is in no answer of git's that we hold in memory.
  await removeAndTell(context, directory);
  const system = await withIdentity(sessionSystem(context.system, context), directory);
  const bundle = inputs["resume-from"] ? await downloadedBundle(system) : undefined;
  const log = createLiveLog(context);
  const makeConfig = makeConfigFor(system);
  const request = { ...requestOf(inputs, { directory, bundle }), makeConfig };
  const outcome = await runProject(system, request, {
    live: log.live,
    checked: (config, { madeConfig }) => {
      if (madeConfig !== undefined) tellMade(madeConfig, print);
      requireKeys(config, system.env);
    },
    started: (session) => {
      log.follow(session);
      announce(session, print);
      tellProtection(session, context);
    },
    cancel,
  });
  await log.close();
  return outcome.kind === "planned" ? showPlan(outcome, print) : conclude(context, outcome);
}

function tellMade(config: string, print: Print): void {
  const title = "There is no .ralph/ralph.yml; this is used instead (`ralph init` writes it)";
  print.command(workflowCommand("group", title));
  print.line(config.trimEnd());
  print.command(workflowCommand("endgroup"));
}

/** Told at once: whatever happens to this process, the steps after it know what to keep. */
function announce(session: Session, print: Print): void {
  const { session_id, branch } = session.journal.run.session;
  const places = { bundle: session.folder, "session-dir": session.sessionDir };
  writeOutputs({ "session-id": session_id, branch, ...places });
  print.line(`Session ${session_id} on ${branch}`);
}

function showPlan({ project, selected }: RunOutcome & { kind: "planned" }, print: Print): number {
  const open = project.prd.tasks.filter(({ id, passes }) => selected.includes(id) && !passes);
  print.line(open.length === 0 ? "There is nothing to do." : "These tasks would be worked on:");
  for (const { id, title } of open) print.line(`  ${id} ${title}`);
  return 0;
}

async function conclude(
  context: StepContext,
  { run, session }: RunOutcome & { kind: "ended" },
): Promise<number> {
  const events: RunEvent[] = [];
  const files = context.system.files(session.folder);
  const replay = await replayJournal(files, (event) => void events.push(event));
  const summary = summarize(run, events);
  writeOutputs({
    ...outputsOf(summary),
    "run-record": `${session.sessionDir}/run-record.json`,
    ...(replay && { "journal-digest": `${replay.end.seq}:${replay.end.hash}` }),
  });
  await showOutcome(context, { run, session, summary });
  const exitCode = stopReasons[run.end?.reason ?? "agent_error"];
  // Out of time is no failure of this step: what publishes decides whether the work really goes on (design 6).
  return exitCode === stopReasons.checkpoint ? 0 : exitCode;
}
