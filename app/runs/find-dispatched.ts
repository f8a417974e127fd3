import { workflowFile } from "./dispatch-workflow.ts";
import type { DispatchedRun } from "./dispatched-run.ts";
import { expectedWorkflow } from "./follow-workflow.ts";
import type { RunParts } from "./run-parts.ts";
import { listWorkflows, runIdOf } from "./workflow-facts.ts";

/** Clocks may differ a little. */
const earlierMs = 60_000;

/** The id of a run's workflow run on GitHub, found by its title although its event or the answer to its start was lost. */
export async function findDispatched(
  { access }: Pick<RunParts, "access">,
  { id, place, started_at: at, after = 0 }: DispatchedRun,
): Promise<number | undefined> {
  const github = await access.github(place);
  const expected = await expectedWorkflow(access, { github, place });
  const found = await listWorkflows(github, { workflow: workflowFile, since: at - earlierMs });
  return found.find((facts) => facts.id > after && runIdOf(facts, expected) === id)?.id;
}
