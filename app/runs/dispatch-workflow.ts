import type { GitHub } from "../../src/github/api/create-github.ts";
import { httpStatusOf, isRateLimited } from "../../src/github/api/to-ralph-error.ts";
import { readRepositoryFacts } from "../repositories/repository-facts.ts";
import type { DispatchedRun } from "./dispatched-run.ts";

/** The workflow of a repository that the App starts; the setup pull request adds it. */
export const workflowFile = "ralph.yml";
export const workflowPath = `.github/workflows/${workflowFile}`;

/**
 * Starts the workflow with ids only; it reads its work itself (T28). Returns the reason when GitHub will not start it as
 * the repository is; other errors may pass. If GitHub's answer is lost, a retry may start it twice: only one of the two
 * gets the claim.
 */
export async function dispatchWorkflow(
  github: GitHub,
  run: DispatchedRun,
): Promise<string | undefined> {
  const { default_branch: ref } = await readRepositoryFacts(github);
  try {
    const dispatch = { ...github.repo, workflow_id: workflowFile, ref, inputs: inputsOf(run) };
    await github.ask(
      { act: `start ${workflowFile}`, permission: "actions: write", reason: "claim" },
      ({ rest }) => rest.actions.createWorkflowDispatch(dispatch),
    );
    return undefined;
  } catch (error) {
    const reason = refusalReason(error);
    if (reason === undefined) throw error;
    return reason;
  }
}

function inputsOf({ id, request, claim, after, orders = [] }: DispatchedRun) {
  const { command, issue } = request;
  return {
    command,
    "run-id": id,
    publisher: "app",
    // A session that continues keeps its issue.
    ...(after !== undefined
      ? { "resume-from": String(after) }
      : issue !== undefined && { "issue-number": String(issue) }),
    ...(orders.length > 0 && { orders: orders.map(({ comment }) => comment).join(",") }),
    ...(claim && { claim: `${claim.item}:${claim.commit}` }),
  };
}

/** Why GitHub will never start the workflow as the repository is; undefined when a retry may succeed. */
function refusalReason(error: unknown): string | undefined {
  switch (isRateLimited(error) ? undefined : httpStatusOf(error)) {
    case 404:
      return `Nothing was started: the default branch has no \`${workflowPath}\`, or the workflow is disabled. The pull request from \`ralph/setup\` adds or shows it.`;
    case 422:
      return `Nothing was started: \`${workflowPath}\` does not accept the App's inputs. Use the workflow of the pull request from \`ralph/setup\`: the one that \`ralph init\` writes is different, and older ones lack the input \`orders\`, by which comments steer a run.`;
    case 403:
      return "Nothing was started: the App may not start workflows here. Grant its installation the permission Actions: write.";
    default:
      return undefined;
  }
}
