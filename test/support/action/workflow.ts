import { stringify } from "yaml";
import type { JobResult, WorkflowResult } from "../runner/model.ts";

/** What a job that publishes may do. */
export const writes = {
  contents: "write",
  "pull-requests": "write",
  checks: "write",
  actions: "write",
} as const;

/** A pull request is opened only where a test is about it: GitHub wants a second between two writes. */
export const withoutPull = { "create-pr": "false" };

/** What a user writes: a checkout and the step, which can be started again to continue a run. */
export function stepWorkflow(given: Record<string, string> = {}, fetchDepth = "0"): string {
  const action = { "resume-from": `\${{ inputs.resume-from }}`, ...withoutPull, ...given };
  return stringify({
    on: { workflow_dispatch: { inputs: { "resume-from": { default: "" } } } },
    permissions: {},
    jobs: {
      ralph: {
        "runs-on": "ubuntu-24.04",
        "timeout-minutes": 60,
        permissions: writes,
        steps: [
          {
            uses: "actions/checkout@v6",
            with: { "fetch-depth": fetchDepth, "persist-credentials": "false" },
          },
          { id: "ralph", uses: "org/ralph-action@v1", with: action },
        ],
      },
    },
  });
}

/** Outputs of the step with the id `ralph`. */
export function outputsOf(job: JobResult): Record<string, string> {
  return job.steps.find(({ id }) => id === "ralph")?.outputs ?? {};
}

export function onlyJob({ jobs }: WorkflowResult): JobResult {
  const [job] = jobs;
  if (!job || jobs.length > 1) throw new Error(`${jobs.length} jobs ran.`);
  return job;
}

/** What the steps inside the action came to, by name; those that were skipped are left out. */
export function innerSteps(job: JobResult): Record<string, string> {
  const inner = job.steps.find(({ id }) => id === "ralph")?.steps ?? [];
  const ran = inner.filter(({ outcome }) => outcome !== "skipped");
  return Object.fromEntries(ran.map(({ name, outcome }) => [name, outcome]));
}
