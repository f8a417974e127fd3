import { defaultJobMinutes } from "../../entry/run-options.ts";
import { RalphError } from "../../error.ts";
import {
  findClaimOf,
  type ReleasedClaim,
  releaseClaim,
  takeClaim,
} from "../../github/claims/claim.ts";
import { claimRef, parseClaimLine, renderClaimLine } from "../../github/claims/claim-note.ts";
import { type ClaimDeps, readClaimCommit } from "../../github/claims/claim-ref.ts";
import { requireWriter } from "../../github/claims/require-writer.ts";
import { requirePullRight } from "../../github/pulls/pull-right.ts";
import { workflowCommand } from "../../views/job/workflow-command.ts";
import { openGitHub, publishingJob, startedBy } from "../inputs/github-access.ts";
import { requestOfInputs } from "../inputs/read-request.ts";
import { writeOutputs } from "../job/outputs.ts";
import type { StepContext } from "../step.ts";

/** The jobs after that of the agents: the clean room (120), the publisher (30), and waiting for machines. */
const afterMinutes = 165;

/**
 * Before any agent starts: requires write access of the user who started the job, asks whether the last job may open the
 * pull request, unless it has a token of its own, and claims the item.
 */
export async function claimStep(context: StepContext): Promise<number> {
  const { system, inputs, print } = context;
  const { env, clock } = system;
  const deps = { github: openGitHub(context), clock };
  await requireWriter(deps.github, startedBy(system));
  if (inputs["create-pr"] && env.RALPH_OTHER_TOKEN !== "true") {
    await requirePullRight(deps.github, env.GITHUB_REF_NAME ?? "");
  }
  const { runId, url } = publishingJob(context);
  const minutes = (inputs["timeout-minutes"] ?? defaultJobMinutes) + afterMinutes;
  const handed = await readHanded(deps, env.RALPH_CLAIM ?? "");
  const wanted = handed ?? (await wantedBy(deps, context));
  const { item, request } = wanted;
  const { claim, until } = await takeClaim(deps, {
    ...{ item, request, holder: runId, url },
    leaseMs: minutes * 60_000,
    predecessor: handed?.holder ?? inputs["resume-from"],
  });
  writeOutputs({ claim: renderClaimLine(claim) });
  print.line(`Claimed ${item} until ${until}.`);
  return 0;
}

/** The claim that ralph's App passes to this run, named by its commit. */
async function readHanded({ github }: ClaimDeps, line: string) {
  if (line === "") return undefined;
  const claim = parseClaimLine(line);
  const note = (await readClaimCommit(github, claim))?.note;
  if (note) return { item: claim.item, holder: note.holder, request: note.request };
  throw new RalphError("claim", {
    message: `${claim.commit} is not a readable claim on ${claim.item}, so this run cannot take it over.`,
    remedy: "Leave the input `claim` empty; only ralph's App fills it in.",
  });
}

/** A continuation takes over the item of the run before it; a new run gets its item from the inputs. */
async function wantedBy(deps: ClaimDeps, { system, inputs }: StepContext) {
  const before = inputs["resume-from"];
  const item = before === undefined ? undefined : await findClaimOf(deps, before);
  if (item !== undefined) return { item, request: undefined };
  const request = requestOfInputs({ inputs, env: system.env });
  return { item: request.item, request };
}

/** Releases the claim. A failure is only a warning: the claim expires with its lease. */
export async function releaseStep(context: StepContext): Promise<number> {
  const { system, print } = context;
  const { RALPH_CLAIM: line } = system.env;
  if (!line) return 0;
  const claim = parseClaimLine(line);
  const { item } = claim;
  try {
    const deps = { github: openGitHub(context), clock: system.clock };
    const { kind } = await releaseClaim(deps, claim);
    print.line(`${item} ${releaseTexts[kind]}.`);
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    const text = `${item} stays claimed until its lease expires: ${error.message} ${error.remedy} To release it at once, delete ${claimRef(item)}.`;
    print.command(workflowCommand("warning", text, { title: "ralph" }));
  }
  return 0;
}

const releaseTexts: Record<ReleasedClaim["kind"], string> = {
  released: "is free again",
  foreign: "now belongs to another run and was not released",
  gone: "was already free",
};
