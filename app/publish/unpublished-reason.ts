import type { RunArtifacts } from "../runs/find-artifacts.ts";
import type { JobFacts, WorkflowFacts } from "../runs/workflow-facts.ts";

type Over = {
  facts: Pick<WorkflowFacts, "id" | "conclusion">;
  jobs: JobFacts;
  left: Pick<RunArtifacts, "session">;
};

/** Why nothing of a workflow that is over is published, in one sentence for people; undefined: there is something. Pure. */
export function unpublishedReason({ facts, jobs, left: { session } }: Over): string | undefined {
  const { id, conclusion } = facts;
  const goOn = session ? ` To go on, start the workflow with \`resume-from: ${id}\`.` : "";
  if (conclusion === "cancelled")
    return `The workflow was cancelled; nothing was published.${goOn}`;
  if (jobs.cleanRoom === "refuted") {
    return "Nothing was published: its work did not hold where it was proved again, on a fresh machine.";
  }
  if (session) return undefined;
  if (conclusion === "success") return "There was nothing to work on.";
  const failed =
    jobs.failed.length > 0 ? ` in ${jobs.failed.map((name) => `\`${name}\``).join(", ")}` : "";
  return `The workflow ended with ${conclusion ?? "no conclusion"}${failed}, before there was anything to publish.`;
}
