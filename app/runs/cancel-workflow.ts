import type { GitHub } from "../../src/github/api/create-github.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";

/** Asks GitHub to cancel a workflow run; one that is over (409) or was deleted is as good. */
export async function cancelWorkflow(github: GitHub, run: number): Promise<void> {
  try {
    await github.ask({
      route: "POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel",
      parameters: { run_id: run },
      purpose: { act: `cancel run ${run}`, permission: "actions: write", reason: "claim" },
    });
  } catch (error) {
    if (![404, 409].includes(httpStatusOf(error) ?? 0)) throw error;
  }
}
