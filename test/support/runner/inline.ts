import { createGitProject } from "../project/git.ts";
import type { JobResult, RunnerOptions, WorkflowResult } from "./model.ts";
import { runWorkflow } from "./run-workflow.ts";

/** The text of a workflow with one job, of these steps; `head` are further keys of the workflow. */
export function workflowOf(steps: string, head = ""): string {
  const lines = steps.trim().replaceAll(/^/gm, "      ");
  return `on: workflow_dispatch\n${head}\njobs:\n  work:\n    runs-on: ubuntu-latest\n    steps:\n${lines}\n`;
}

/** Runs a workflow in a throwaway repository of these files. */
export async function runInline(
  source: string,
  { files = {}, ...options }: Partial<RunnerOptions> & { files?: Record<string, string> } = {},
): Promise<WorkflowResult & AsyncDisposable> {
  await using project = await createGitProject(files);
  return await runWorkflow(source, { repository: project.root, ...options });
}

/** One job of a run, by its name. */
export function jobOf(result: WorkflowResult, name = "work"): JobResult {
  const job = result.jobs.find((entry) => entry.name === name);
  if (job === undefined) throw new Error(`The job ${name} did not run.`);
  return job;
}

export const conclusionsOf = (job: JobResult) => job.steps.map(({ conclusion }) => conclusion);
