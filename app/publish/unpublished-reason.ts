import type { RunArtifacts } from "../runs/find-artifacts.ts";
import type { JobFacts, WorkflowFacts } from "../runs/workflow-facts.ts";

type EndedWorkflow = {
  facts: Pick<WorkflowFacts, "id" | "conclusion">;
  jobs: JobFacts;
  artifacts: Pick<RunArtifacts, "session">;
};

/** Why a finished workflow run has nothing to publish, in one sentence; undefined if it has. Pure. */
export function unpublishedReason({ facts, jobs, artifacts }: EndedWorkflow): string | undefined {
  const { id, conclusion } = facts;
  const { session } = artifacts;
  const resume = session ? ` To continue, start the workflow with \`resume-from: ${id}\`.` : "";
  if (conclusion === "cancelled")
    return `The workflow was cancelled; nothing was published.${resume}`;
  if (jobs.cleanRoom === "refuted") {
    return "Nothing was published: the clean room, a fresh machine, could not prove the work again.";
  }
  if (session) return undefined;
  if (conclusion === "success") return "There was nothing to work on.";
  const failed =
    jobs.failed.length > 0 ? ` in ${jobs.failed.map((name) => `\`${name}\``).join(", ")}` : "";
  return `The workflow ended with ${conclusion ?? "no conclusion"}${failed}, before there was a session to publish.`;
}
