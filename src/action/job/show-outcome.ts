import { summary as jobSummary } from "@actions/core";
import type { SessionState } from "../../core/state/session-state.ts";
import { stopMeanings, stopReasons } from "../../error.ts";
import { listTree } from "../../git/trees/list-paths.ts";
import type { SessionContext } from "../../session/loop/session-context.ts";
import { annotationsOf, redGates, renderAnnotations } from "../../views/job/annotations.ts";
import { renderJobSummary } from "../../views/job/job-summary.ts";
import { workflowCommand } from "../../views/job/workflow-command.ts";
import type { Summary } from "../../views/summary/summary.ts";
import { renderSummary } from "../../views/summary/summary-text.ts";
import type { StepContext } from "../step.ts";
import { nextJobAction } from "./next-job-action.ts";

type Ended = { state: SessionState; session: SessionContext; summary: Summary };

/** Tells a session's outcome: the job's page, notes beside the lines gates complained about, and the log's end. */
export async function showOutcome(context: StepContext, ended: Ended): Promise<void> {
  const { inputs, print } = context;
  const { session, summary } = ended;
  const { sessionDir } = session;
  const next = nextJobAction(summary, context);
  const artifact = inputs["session-artifact"] ? artifactName(context) : undefined;
  const page = renderJobSummary(summary, { sessionDir, next, ...(artifact && { artifact }) });
  await writePage(context, page);
  for (const line of await annotate(ended)) print.command(line);
  print.line(renderSummary({ ...summary, next }, { sessionDir }));
  const reason = summary.stop_reason ?? "agent_error";
  if (stopReasons[reason] === 0) return;
  const level = reason === "checkpoint" ? "warning" : "error";
  const text = `${summary.message} ${next}`;
  print.command(workflowCommand(level, text, { title: `ralph: ${stopMeanings[reason]}` }));
}

export const artifactName = ({ system: { env } }: StepContext) =>
  `ralph-session-${env.GITHUB_RUN_ID}-${env.GITHUB_RUN_ATTEMPT}`;

/** Added to what steps before have written; without a runner there is no page. */
export async function writePage({ system }: StepContext, page: string): Promise<void> {
  if (system.env.GITHUB_STEP_SUMMARY) await jobSummary.addRaw(page).write();
}

async function annotate({ state, session }: Ended): Promise<string[]> {
  const { repo, evidence } = session;
  const gates = redGates(state);
  const outputs = gates.map(async ({ gate, output }) => ({
    gate,
    output: output ? await evidence.read(output) : "",
  }));
  // A task's own files were put back; the trees the gates looked at still name them.
  const trees = [...new Set(gates.map(({ tree }) => tree))];
  const files = (await Promise.all(trees.map((tree) => listTree(repo, tree)))).flat();
  const annotations = annotationsOf(await Promise.all(outputs), { root: repo.root, files });
  return renderAnnotations(annotations, repo.prefix.replace(/\/$/, ""));
}
