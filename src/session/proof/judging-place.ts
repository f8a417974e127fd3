import { isProofOn } from "../../core/proof/settings.ts";
import type { GateResult } from "../../gates/gates.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { openProofWorktree, type ProofWorktree } from "../workers/workers.ts";

/**
 * The place in which gates and criteria judge a tree: a checkout that no agent's process can reach. Without any proof of
 * the work, and with submodules, whose files a checkout lacks, it is the session's own work tree, which holds the tree.
 */
export async function openJudgingPlace(
  session: SessionContext,
  tree: string,
): Promise<ProofWorktree> {
  const isAside = isProofOn(session.policy.proof) && !session.hasSubmodules;
  return isAside ? openProofWorktree(session, tree) : { kind: "ready", context: session };
}

/** The result of a gate in a checkout whose setup failed. */
export const brokenSetup = (result: GateResult): GateResult => ({
  ...result,
  status: "not_started",
  detail: `A setup step failed in the checkout in which gates run: ${result.detail}`,
  fingerprints: [],
});
