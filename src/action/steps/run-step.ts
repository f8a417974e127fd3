import { type RunOutcome, runProject } from "../../entry/run-project.ts";
import { workflowCommand } from "../../views/job/workflow-command.ts";
import { requireKeys } from "../checks/require-keys.ts";
import { downloadedBundle } from "../inputs/downloaded-bundle.ts";
import { makeConfigFor } from "../inputs/make-config.ts";
import { runOptionsOf } from "../inputs/request.ts";
import { createLiveLog } from "../job/live-log.ts";
import { openWork } from "../job/open-work.ts";
import { reportKeptSession, reportSessionEnd } from "../job/report-session-end.ts";
import type { Print, StepContext } from "../step.ts";

/** The run step: works through the task list, which an autopilot writes first. */
export async function runStep(context: StepContext): Promise<number> {
  if (context.system.env.RALPH_DECISION === "publish") return handOver(context);
  if (context.inputs.command !== "autopilot") return runTaskList(context);
  const { autopilotStep } = await import("./autopilot-step.ts");
  return autopilotStep(context);
}

async function runTaskList(given: StepContext): Promise<number> {
  const { context, system, directory, steering } = await openWork(given);
  const { inputs, print } = context;
  const bundle = inputs["resume-from"] ? await downloadedBundle(system, inputs) : undefined;
  const { close, ...listener } = createLiveLog(context);
  const makeConfig = makeConfigFor(system);
  const request = {
    ...{ directory, config: inputs.config, sessionDir: undefined, makeConfig, steering },
    branch: system.env.RALPH_BRANCH || undefined,
    options: runOptionsOf(inputs, { env: system.env, bundle }),
  };
  const outcome = await runProject(system, request, {
    ...listener,
    checked: (config, { madeConfig }) => {
      if (madeConfig !== undefined) printMadeConfig(madeConfig, print);
      requireKeys(config, system.env);
    },
  });
  await close();
  if (outcome.kind === "planned") return showPlan(outcome, print);
  // Begin has chosen the branch of a job.
  if (outcome.kind === "waits") throw new Error("A job waits for no pull request here.");
  return reportSessionEnd(context, outcome);
}

/** A session of an earlier run that is finished becomes this run's, so that it is proved and published. */
async function handOver({ system, inputs, print }: StepContext): Promise<number> {
  const summary = await reportKeptSession(system, await downloadedBundle(system, inputs));
  print.line(`${summary.message} The session is published now.`);
  return 0;
}

function printMadeConfig(config: string, print: Print): void {
  const title = "There is no .ralph/ralph.yml; ralph uses this (`ralph init` writes it)";
  print.command(workflowCommand("group", title));
  print.line(config.trimEnd());
  print.command(workflowCommand("endgroup"));
}

function showPlan({ project, selected }: RunOutcome & { kind: "planned" }, print: Print): number {
  const open = project.prd.tasks.filter(({ id, passes }) => selected.includes(id) && !passes);
  print.line(open.length === 0 ? "There is nothing to do." : "Would work on these tasks:");
  for (const { id, title } of open) print.line(`  ${id} ${title}`);
  return 0;
}
