import { RalphError } from "../../error.ts";
import { type ReleasedClaim, releaseClaim } from "../../github/claims/claim.ts";
import { type Claim, claimRef, parseClaimLine } from "../../github/claims/claim-note.ts";
import { workflowCommand } from "../../views/job/workflow-command.ts";
import { openGitHub } from "../inputs/github-access.ts";
import type { StepContext } from "../step.ts";

const releaseTexts: Record<ReleasedClaim["kind"], string> = {
  released: "is free again",
  foreign: "now belongs to another run and was not released",
  gone: "was already free",
};

/** Releases the claim. A failure is only a warning: the claim expires with its lease. */
export async function releaseStep(context: StepContext): Promise<number> {
  const { system, print } = context;
  const line = system.env.RALPH_CLAIM ?? "";
  if (line === "") return 0;
  const claim = parseClaimLine(line);
  try {
    const { kind } = await releaseClaim(
      { github: openGitHub(context), clock: system.clock },
      claim,
    );
    print.line(`${claim.item} ${releaseTexts[kind]}.`);
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    print.command(workflowCommand("warning", notReleased(claim, error), { title: "ralph" }));
  }
  return 0;
}

const notReleased = ({ item }: Claim, { message, remedy }: RalphError) =>
  `${item} stays claimed until its lease expires: ${message} ${remedy} To release it at once, delete ${claimRef(item)}.`;
