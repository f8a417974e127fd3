import { normalize } from "node:path/posix";
import { findClaimOf, takeClaim } from "../github/claim.ts";
import { renderClaimLine } from "../github/claim-note.ts";
import type { ClaimDeps } from "../github/claim-ref.ts";
import { requireWriter } from "../github/may-start.ts";
import { sha256 } from "../model/checksum.ts";
import { openGitHub, publishingJob } from "./github-access.ts";
import type { Inputs } from "./inputs.ts";
import { writeOutputs } from "./outputs.ts";
import type { StepContext } from "./step.ts";

/** As long as a job may take that says nothing else. */
const defaultMinutes = 360;
/** For what comes after the job of the agents. */
const afterMinutes = 15;

/** Before any agent starts: whoever started this may write, and nobody else works on the same item. */
export async function claimStep(context: StepContext): Promise<number> {
  const { system, inputs, print } = context;
  const { env, clock } = system;
  const deps = { github: openGitHub(context), clock };
  await requireWriter(deps.github, {
    event: env.GITHUB_EVENT_NAME ?? "",
    actor: env.GITHUB_ACTOR ?? "",
    triggeringActor: env.GITHUB_TRIGGERING_ACTOR ?? "",
  });
  const { runId, url } = publishingJob(context);
  const minutes = (inputs["timeout-minutes"] ?? defaultMinutes) + afterMinutes;
  const item = await itemFor(deps, inputs);
  const { claim, until } = await takeClaim(deps, {
    item,
    holder: runId,
    url,
    leaseMs: minutes * 60_000,
    after: inputs["resume-from"],
  });
  writeOutputs({ claim: renderClaimLine(claim) });
  print.line(`${item} is this run's until ${until}.`);
  return 0;
}

/** A run that goes on has what the one before held; a run that finds its report itself has all reports. */
async function itemFor(deps: ClaimDeps, inputs: Inputs): Promise<string> {
  const { "issue-number": issue, report, "resume-from": before } = inputs;
  if (issue !== undefined) return `issue-${issue}`;
  if (report !== undefined) return reportItem(report);
  const held = before === undefined ? undefined : await findClaimOf(deps, before);
  return held ?? "reports";
}

/** However its path is written, a report is one item. */
export function reportItem(path: string): string {
  return `report-${sha256(normalize(path)).slice(0, 16)}`;
}
