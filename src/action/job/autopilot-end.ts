import { renderSource } from "../../autopilot/planning/trace.ts";
import type { AutopilotRun } from "../../autopilot/run/autopilot-run.ts";
import { finalizeRun } from "../../autopilot/run/finalize-run.ts";
import type { AutopilotOutcome } from "../../autopilot/run/run-request.ts";
import { recordPath } from "../../autopilot/run/run-store.ts";
import type { EndedRun } from "../../entry/run-list.ts";
import { type StopReason, stopReasons } from "../../error.ts";
import type { LocatedProject } from "../../session/open/locate-project.ts";
import { codeSpan, escapeMarkdown } from "../../text/escape-markdown.ts";
import { plainLine, plainText } from "../../text/plain-text.ts";
import { workflowCommand } from "../../views/job/workflow-command.ts";
import type { StepContext } from "../step.ts";
import { writeOutputs } from "./outputs.ts";
import { reportKeptSession, reportSessionEnd } from "./report-session-end.ts";
import { writePage } from "./show-outcome.ts";

/** Ends a job without work as a green step: people switch off a nightly job that fails whenever there is nothing to do. */
export async function endQuietly(
  context: StepContext,
  { reason, text }: { reason: StopReason; text: string },
): Promise<number> {
  const { print } = context;
  print.line(text);
  print.command(workflowCommand("notice", text, { title: "ralph: nothing to do" }));
  await writePage(context, `**Nothing to do**: ${escapeMarkdown(text)}\n`);
  const exitCode = String(stopReasons[reason]);
  writeOutputs({ status: "nothing_to_do", "stop-reason": reason, "exit-code": exitCode });
  return 0;
}

/** Reports a run that ended without an error; returns the exit code of the step. */
export async function endAutopilot(
  context: StepContext,
  outcome: AutopilotOutcome,
  { place, session }: { place: LocatedProject; session: EndedRun["session"] | undefined },
): Promise<number> {
  if (outcome.kind === "analyzed") return showAnalysis(context, outcome);
  const { run } = outcome;
  writeOutputs(factsOf(run));
  await writePage(context, renderItemPage(run));
  if (outcome.kind === "stopped") return endStopped(context, outcome, place);
  const { state, reason } = outcome;
  const exitCode = session && (await reportSessionEnd(context, { state, session }));
  // Without one, the session ended in an earlier job: only publishing is left.
  const { root } = place.store.session(state.session.session_id);
  if (!session) await reportKeptSession(context.system, root);
  writeOutputs({ "run-record": `${place.root}/${recordPath(run.run_id)}` });
  return exitCode ?? stopReasons[reason];
}

/** Outputs of a run that stopped or failed. */
export const factsOf = ({ run_id, branch }: AutopilotRun) => ({
  "run-id": run_id,
  ...(branch !== undefined && { branch }),
});

/** The document waits for review: it is published as a draft, and another run continues it. */
async function endStopped(
  { system, print }: StepContext,
  { run, why }: AutopilotOutcome & { kind: "stopped" },
  place: LocatedProject,
): Promise<number> {
  const sealed = await finalizeRun(system, place, run.run_id);
  const text = `${why} To continue, start the workflow with resume-from: ${system.env.GITHUB_RUN_ID}.`;
  print.line(text);
  print.command(workflowCommand("notice", text, { title: "ralph: waiting for review" }));
  writeOutputs({ status: "partial", "exit-code": "0", ...(sealed && { bundle: sealed.folder }) });
  return 0;
}

async function showAnalysis(
  { print }: StepContext,
  { analysis, skipped }: AutopilotOutcome & { kind: "analyzed" },
): Promise<number> {
  for (const { path, reason } of skipped) print.line(`Skipped ${path}: ${reason}`);
  print.line(`Would work on: ${plainText(analysis.priority_item)}`);
  print.line(`Why: ${plainText(analysis.rationale)}`);
  return 0;
}

/** The chosen item and the reason, for the job's page. Models wrote the text, so all of it is escaped. */
export function renderItemPage({ analyzed, branch, document }: AutopilotRun): string {
  if (!analyzed) return "";
  const { analysis, source } = analyzed;
  const { priority_item: item, rationale, excluded_items: left = [] } = analysis;
  const escaped = (text: string) => escapeMarkdown(plainLine(text, 600));
  const lines = [
    "## Item",
    `**What**: ${escaped(item)}`,
    `**Why**: ${escaped(rationale)}`,
    `**From**: ${codeSpan(renderSource(source))}`,
    ...(branch === undefined ? [] : [`**Branch**: ${codeSpan(branch)}`]),
    ...(document === undefined ? [] : [`**Document**: ${codeSpan(document.path)}`]),
    ...left
      .slice(0, 20)
      .map(({ item: other, reason }) => `- Left out: ${escaped(other)}: ${escaped(reason)}`),
  ];
  return `${lines.join("\n\n")}\n\n`;
}
