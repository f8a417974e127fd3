import type { GitHub } from "../../src/github/api/create-github.ts";
import type { DispatchedRun } from "./dispatched-run.ts";

export interface Dispatch {
  /** File of the workflow, such as `ralph.yml`. */
  workflow: string;
  /** The default branch. */
  ref: string;
  /** The workflow run whose session is gone on with. */
  resumeFrom?: number;
}

/**
 * Starts the workflow with ids only: what it works on it reads itself (T28). GitHub may start it twice when its answer got
 * lost; then the claim lets one of the two work.
 */
export async function dispatchWorkflow(
  github: GitHub,
  { id, request: { command, issue }, claim, orders = [] }: DispatchedRun,
  { workflow, ref, resumeFrom }: Dispatch,
): Promise<void> {
  await github.ask({
    route: "POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches",
    parameters: {
      workflow_id: workflow,
      ref,
      inputs: {
        command,
        "run-id": id,
        publisher: "app",
        // A session that goes on has its own issue.
        ...(resumeFrom !== undefined
          ? { "resume-from": String(resumeFrom) }
          : issue !== undefined && { "issue-number": String(issue) }),
        ...(orders.length > 0 && { orders: orders.map(({ comment }) => comment).join(",") }),
        ...(claim && { claim: `${claim.item}:${claim.commit}` }),
      },
    },
    purpose: { act: `start ${workflow}`, permission: "actions: write", reason: "claim" },
  });
}
