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

type Ended = { state: SessionState; session: SessionContext; summary: Summary };

/** Shows a session's outcome on the job's page, as annotations on the lines gates report, and at the end of the log. */
export async function showOutcome(context: StepContext, ended: Ended): Promise<void> {
  const { inputs, print } = context;
  const { session, summary } = ended;
  const { sessionDir } = session;
  const { GITHUB_RUN_ID: runId, GITHUB_RUN_ATTEMPT: attempt } = context.system.env;
  const next = nextJobAction(summary, context);
  const names = ["ralph-session", runId, attempt, inputs["artifact-suffix"]];
  const artifact = inputs["session-artifact"] && names.filter(Boolean).join("-");
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

/** Appends to the job's page; does nothing without a runner. */
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
  // The work tree lacks the files of a failed task; the trees its gates checked still list them.
  const trees = [...new Set(gates.map(({ tree }) => tree))];
  const files = (await Promise.all(trees.map((tree) => listTree(repo, tree)))).flat();
  const annotations = annotationsOf(await Promise.all(outputs), { root: repo.root, files });
  return renderAnnotations(annotations, repo.prefix.replace(/\/$/, ""));
}

/** The next action for a person after a session in a job. */
export function nextJobAction(summary: Summary, { inputs, system: { env } }: StepContext): string {
  const reason = summary.stop_reason ?? "agent_error";
  if (reason === "nothing_to_do") return "Add tasks to the task list; there was nothing to do.";
  if (reason === "all_done")
    return inputs["create-pr"]
      ? `Review the pull request of the branch \`${summary.branch}\`.`
      : `Review the branch \`${summary.branch}\` and open a pull request from it.`;
  const fix = fixes[reason] ?? "Find the cause above.";
  const keep = summary.tasks_completed > 0 ? " Passed tasks are kept." : "";
  if (reason === "tampering") return `${fix} Then start the workflow again.`;
  if (!inputs["session-artifact"]) return `${fix}${keep} Then start the workflow again.`;
  return `${fix}${keep} To continue, start the workflow with \`resume-from: ${env.GITHUB_RUN_ID}\`.`;
}

/** The repair a stop reason asks for before the run can continue. */
const fixes: Partial<Record<NonNullable<Summary["stop_reason"]>, string>> = {
  checkpoint: "Time or a usage limit ran out; nothing is wrong.",
  cancelled: "The job was cancelled.",
  budget: "Raise `budget-usd` if it may cost more.",
  max_runtime: "Raise `limits.max_runtime` if it may take longer.",
  task_failed: "Make the failed task smaller or clearer.",
  blocked: "Make the blocked task smaller or clearer.",
  gate_fatal: "Fix the gate named above.",
  agent_error: "Read the agent program's output.",
  breaker: "Read the agent program's output.",
  tampering: "Find out who changed the status files; nothing of this session is trusted.",
};
