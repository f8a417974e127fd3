import { normalize } from "node:path/posix";
import { RalphError } from "../error.ts";
import { findClaimOf, takeClaim } from "../github/claim.ts";
import { parseClaimLine, renderClaimLine } from "../github/claim-note.ts";
import { type ClaimDeps, readClaimCommit } from "../github/claim-ref.ts";
import { requireWriter } from "../github/may-start.ts";
import { sha256 } from "../model/checksum.ts";
import { openGitHub, publishingJob } from "./github-access.ts";
import type { Inputs } from "./inputs.ts";
import { writeOutputs } from "./outputs.ts";
import type { StepContext } from "./step.ts";

/** As long as a job may take that says nothing else. */
const defaultMinutes = 360;
/** What comes after the job of the agents: the clean room (120), the publisher (30), and waiting for machines. */
const afterMinutes = 165;

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
  const handed = await readHanded(deps, env.RALPH_CLAIM ?? "");
  const item = handed?.item ?? (await itemFor(deps, inputs));
  const { claim, until } = await takeClaim(deps, {
    item,
    holder: runId,
    url,
    leaseMs: minutes * 60_000,
    after: handed?.holder ?? inputs["resume-from"],
  });
  writeOutputs({ claim: renderClaimLine(claim) });
  print.line(`${item} is this run's until ${until}.`);
  return 0;
}

/** What ralph's App has claimed before it started this run: it hands that over with the claim's own commit. */
async function readHanded({ github }: ClaimDeps, line: string) {
  if (line === "") return undefined;
  const claim = parseClaimLine(line);
  const note = (await readClaimCommit(github, claim))?.note;
  if (note) return { item: claim.item, holder: note.holder };
  throw new RalphError("claim", {
    message: `${claim.commit} is no claim on ${claim.item} that can be read, so it cannot be taken over.`,
    remedy: "Leave the input `claim` empty; only ralph's App fills it in.",
  });
}

/** A run that goes on has what the one before held; a run that finds its report itself has all reports. */
async function itemFor(deps: ClaimDeps, inputs: Inputs): Promise<string> {
  const { "issue-number": issue, report, "resume-from": before } = inputs;
  const held = before === undefined ? undefined : await findClaimOf(deps, before);
  if (held !== undefined) return held;
  if (issue !== undefined) return `issue-${issue}`;
  return report === undefined ? "reports" : reportItem(report);
}

/** However its path is written, a report is one item. */
export function reportItem(path: string): string {
  return `report-${sha256(normalize(path)).slice(0, 16)}`;
}
