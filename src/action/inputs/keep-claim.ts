import { requireClaim } from "../../github/claims/claim.ts";
import { parseClaimLine } from "../../github/claims/claim-note.ts";
import type { StepContext } from "../step.ts";
import { openGitHub } from "./github-access.ts";

/** What was claimed before the agents began must still be ours when we push (exit 24). Without a claim there is no question. */
export async function keepClaim(context: StepContext): Promise<void> {
  const { env, clock } = context.system;
  const line = env.RALPH_CLAIM ?? "";
  if (line !== "") await requireClaim({ github: openGitHub(context), clock }, parseClaimLine(line));
}
