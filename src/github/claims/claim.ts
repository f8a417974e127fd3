import { RalphError } from "../../error.ts";
import type { WorkRequest } from "../../schema/work-request.ts";
import { sendAgain } from "../api/create-once.ts";
import {
  type Claim,
  type ClaimNote,
  claimHeld,
  claimLost,
  claimRef,
  claimUnreadable,
  isFree,
} from "./claim-note.ts";
import {
  type ClaimDeps,
  type ClaimTip,
  listClaimedItems,
  moveClaim,
  readClaimCommit,
  readTip,
} from "./claim-ref.ts";

/** The item a run needs, and for how long at most. */
export interface WantedClaim {
  item: string;
  /** Unique: the id of a workflow run, or a name given by the App. */
  holder: string;
  url: string;
  /** Counted from now; when it has passed, anyone may take the item. */
  leaseMs: number;
  /** The holder whose work this run continues and whose claim it may take over. */
  predecessor?: string | undefined;
  /** Absent: the request recorded in the claim that is taken over. */
  request?: WorkRequest | undefined;
}

export interface TakenClaim {
  kind: "taken";
  claim: Claim;
  until: string;
}

/** `foreign`: another run holds the item; `gone`: its ref was deleted. */
export type ReleasedClaim = { kind: "released" | "foreign" | "gone" };

/** The least time a claim must last when a push begins. */
const pushMs = 15 * 60_000;
/** Attempts before giving way to faster runs. */
const maxTries = 3;
/** Claims read when searching through all of them; their refs are never deleted. */
const maxReads = 100;

/**
 * Takes a work item for one run; exit 24 names the run that holds it. An item is free if it was never claimed, was
 * released, or its lease has ended; its holder and that holder's successor may always take it. No other run may hold
 * an item that covers the same work.
 */
export async function takeClaim(deps: ClaimDeps, wanted: WantedClaim): Promise<TakenClaim> {
  const { item } = wanted;
  claimRef(item);
  for (let tries = 0; tries < maxTries; tries++) {
    const from = await readTip(deps, item);
    if (from && !from.note) throw claimUnreadable(deps.github, item);
    const note = noteFor(deps, wanted, from?.note);
    await requireNoOverlap(deps, note, wanted);
    const move = await moveClaim(deps, { from, note });
    if (move.kind === "overtaken") continue;
    const claim = { item, commit: move.tip.commit };
    try {
      // When two runs take overlapping items at the same moment, each sees the other now and gives way.
      await requireNoOverlap(deps, note, wanted);
    } catch (error) {
      await releaseClaim(deps, claim);
      throw error;
    }
    return { kind: "taken", claim, until: note.expires_at };
  }
  throw new RalphError("claim", {
    message: `${item} could not be claimed: other runs took and released it at the same moment.`,
    remedy: "Start the workflow again.",
  });
}

/** The next claim on an item after `before`; refuses while another run holds the item. */
function noteFor(
  { github, clock }: ClaimDeps,
  wanted: WantedClaim,
  before: ClaimNote | undefined,
): ClaimNote {
  const isOwn = before && isHeldBy(before, wanted);
  if (before && !isOwn && !isFree(before, clock.now())) throw claimHeld(github, before);
  const { item, holder, url, leaseMs, request = isOwn ? before.request : undefined } = wanted;
  const expires_at = new Date(clock.now() + leaseMs).toISOString();
  return { item, holder, url, expires_at, state: "held", ...(request && { request }) };
}

type Holders = Pick<WantedClaim, "holder" | "predecessor">;

const isHeldBy = (note: ClaimNote, { holder, predecessor }: Holders) =>
  note.holder === holder || note.holder === predecessor;

type Items = Pick<ClaimNote, "item" | "request">;

/**
 * Refuses while another run holds a different item that covers the same work: a run that holds all reports may choose
 * any of them, or the issue it was started for.
 */
async function requireNoOverlap(deps: ClaimDeps, items: Items, own: Holders): Promise<void> {
  for (const other of await overlappingItems(deps, items)) {
    const note = (await readTip(deps, other))?.note;
    if (!note || isHeldBy(note, own) || isFree(note, deps.clock.now())) continue;
    if (coversSameWork(items, note)) throw claimHeld(deps.github, note);
  }
}

const oneReport = "report-";

async function overlappingItems(deps: ClaimDeps, items: Items): Promise<string[]> {
  const { item } = items;
  if (item.startsWith("issue-") || item.startsWith(oneReport)) return ["reports"];
  if (item !== "reports") return [];
  const also = alternativeItem(items);
  const reports = await listClaimedItems(deps, oneReport);
  return [...(also ? [also] : []), ...reports.slice(0, maxReads)];
}

function coversSameWork(one: Items, other: Items): boolean {
  const isReport = one.item.startsWith(oneReport) || other.item.startsWith(oneReport);
  return isReport || one.item === alternativeItem(other) || alternativeItem(one) === other.item;
}

/** The item an autopilot may choose instead of a report. */
function alternativeItem({ request }: Items): string | undefined {
  const issue = request?.alternativeIssue;
  return issue === undefined ? undefined : `issue-${issue}`;
}

/**
 * Makes sure before a push that this run holds the item for at least another quarter of an hour; exit 24 otherwise. A
 * claim that expired, or was released by a job of the same run, is taken again unless another run has had it since.
 */
export async function requireClaim(deps: ClaimDeps, claim: Claim): Promise<Claim> {
  // GitHub's reads may lag behind its writes, so a lost claim is only believed the third time.
  return sendAgain(deps.clock, () => holdOn(deps, claim), isLost);
}

const isLost = (error: unknown) => error instanceof RalphError && error.reason === "claim";

type OwnClaim = { tip: ClaimTip; note: ClaimNote };

async function holdOn(deps: ClaimDeps, claim: Claim): Promise<Claim> {
  const { tip, note } = await requireOwn(deps, claim);
  const leftMs = Date.parse(note.expires_at) - deps.clock.now();
  if (note.state === "held" && leftMs >= pushMs) return { item: note.item, commit: tip.commit };
  const expires_at = new Date(deps.clock.now() + pushMs).toISOString();
  const next: ClaimNote = { ...note, expires_at, state: "held" };
  // While the claim was expired or released, another run may have begun the same work.
  if (isFree(note, deps.clock.now())) await requireNoOverlap(deps, next, note);
  const move = await moveClaim(deps, { from: tip, note: next });
  if (move.kind === "moved") return { item: note.item, commit: move.tip.commit };
  throw claimLost(note.item, "another run took it just now");
}

async function requireOwn(deps: ClaimDeps, claim: Claim): Promise<OwnClaim> {
  const { item } = claim;
  const tip = await readTip(deps, item);
  if (!tip) throw claimLost(item, `${claimRef(item)} was deleted`);
  if (!tip.note) throw claimUnreadable(deps.github, item);
  if (await isOwn(deps, claim, tip)) return { tip, note: tip.note };
  if (isFree(tip.note, deps.clock.now()))
    throw claimLost(item, "another run has worked on it since");
  throw claimHeld(deps.github, tip.note);
}

/** The ref points to this claim's commit or to a later one of its holder: no other run has had it in between. */
async function isOwn(
  { github }: ClaimDeps,
  claim: Claim,
  { commit, note }: ClaimTip,
): Promise<boolean> {
  if (commit === claim.commit) return true;
  const own = await readClaimCommit(github, claim);
  return own?.note !== undefined && own.note.holder === note?.holder;
}

/** Releases an item; leaves it alone when another run holds it. Safe to repeat. */
export async function releaseClaim(deps: ClaimDeps, claim: Claim): Promise<ReleasedClaim> {
  for (let tries = 0; tries < maxTries; tries++) {
    const tip = await readTip(deps, claim.item);
    if (!tip) return { kind: "gone" };
    const { note } = tip;
    if (!note || !(await isOwn(deps, claim, tip))) break;
    if (note.state === "released") return { kind: "released" };
    const move = await moveClaim(deps, { from: tip, note: { ...note, state: "released" } });
    if (move.kind === "moved") return { kind: "released" };
  }
  return { kind: "foreign" };
}

/** The item whose latest claim belongs to this holder, released or not. Newer issues are read first. */
export async function findClaimOf(deps: ClaimDeps, holder: string): Promise<string | undefined> {
  const items = await listClaimedItems(deps);
  const likelyFirst = items.toSorted((one, other) => rankOf(other) - rankOf(one));
  for (const item of likelyFirst.slice(0, maxReads)) {
    const tip = await readTip(deps, item);
    if (tip?.note?.holder === holder) return item;
  }
  return undefined;
}

/** `reports` and `prd` first, then issues by number, then single reports. */
function rankOf(item: string): number {
  if (item.startsWith(oneReport)) return 0;
  return Number(/^issue-(\d+)$/.exec(item)?.[1] ?? Number.MAX_SAFE_INTEGER);
}
