import { RalphError } from "../../src/error.ts";
import { unlessStatus } from "../../src/github/api/expected-refusals.ts";
import { takeClaim } from "../../src/github/claims/claim.ts";
import {
  type Claim,
  claimHeld,
  claimLost,
  claimRef,
  isFree,
} from "../../src/github/claims/claim-note.ts";
import { type ClaimTip, readTip } from "../../src/github/claims/claim-ref.ts";
import { escapeMarkdown } from "../../src/text/escape-markdown.ts";
import { plainLine } from "../../src/text/plain-text.ts";
import type { DispatchedRun } from "../runs/dispatched-run.ts";
import { expectedWorkflow } from "../runs/follow-workflow.ts";
import type { Site } from "../runs/run-parts.ts";
import { readWorkflow, runIdOf, type WorkflowFacts } from "../runs/workflow-facts.ts";

/** How long a publication holds its item: longer than the child process may take. */
export const pushLeaseMs = 45 * 60_000;

/**
 * `twin`: another workflow run of the same App run holds the item. `foreign`: someone else holds it or has held it since,
 * so nothing may be pushed.
 */
export type Reclaimed =
  | { kind: "ours"; claim: Claim }
  | { kind: "twin"; facts: WorkflowFacts }
  | { kind: "foreign"; reason: string };

/** Claims a run's item again from its workflow, which has held it since its first job, and from no one else. */
export async function reclaimItem(
  site: Site,
  run: DispatchedRun,
  leaseMs: number,
): Promise<Reclaimed> {
  const { github, clock, url } = site;
  const { id: holder, request, workflow } = run;
  const { item } = request;
  const deps = { github, clock };
  const after = String(workflow?.run ?? "");
  const tip = await readTip(deps, item);
  const twin = await findTwin(site, run, tip?.note?.holder ?? "");
  if (twin) return { kind: "twin", facts: twin };
  const isOurs = tip?.note?.holder === holder || (after !== "" && tip?.note?.holder === after);
  if (!isOurs) {
    const reason = foreignReason(site, item, tip);
    return { kind: "foreign", reason: escapeMarkdown(plainLine(reason, 1000)) };
  }
  try {
    const { claim } = await takeClaim(deps, { item, holder, url, leaseMs, predecessor: after });
    return { kind: "ours", claim };
  } catch (error) {
    if (!(error instanceof RalphError) || error.reason !== "claim") throw error;
    return { kind: "foreign", reason: error.message };
  }
}

/** After a lost answer a start is repeated, so a run may have two workflow runs; the claim lets one of them work. */
async function findTwin(
  site: Site,
  { id, workflow, after = 0 }: DispatchedRun,
  holder: string,
): Promise<WorkflowFacts | undefined> {
  const number = /^[1-9]\d{0,15}$/.test(holder) ? Number(holder) : 0;
  if (number <= after || number === workflow?.run) return undefined;
  const facts = await unlessStatus([404], readWorkflow(site.github, number));
  return facts && runIdOf(facts, await expectedWorkflow(site)) === id ? facts : undefined;
}

function foreignReason({ github, clock }: Site, item: string, tip: ClaimTip | undefined): string {
  if (!tip) return claimLost(item, `${claimRef(item)} was deleted`).message;
  const { note } = tip;
  if (!note) return claimLost(item, `${claimRef(item)} points to something else`).message;
  if (isFree(note, clock.now()))
    return claimLost(item, "another run has worked on it since").message;
  return `${claimHeld(github, note).message} Nothing was pushed.`;
}
