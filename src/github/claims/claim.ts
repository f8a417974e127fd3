import { RalphError } from "../../error.ts";
import { claimContested, claimHeld, claimLost, claimUnreadable } from "./claim-error.ts";
import {
  type Claim,
  type ClaimNote,
  type ClaimRequest,
  claimRef,
  claimRequestOf,
  isFree,
} from "./claim-note.ts";
import { findOverlap } from "./claim-overlap.ts";
import {
  type ClaimDeps,
  type ClaimTip,
  listClaimedItems,
  moveClaim,
  readClaimCommit,
  readTip,
} from "./claim-ref.ts";

/** Who wants to work on what, and for how long at most. */
export interface WantedClaim {
  item: string;
  /** Nobody else may ever give this name: a workflow run's id, or a text of an App's. */
  holder: string;
  url: string;
  /** From now on; when it is over, anybody may take the item. */
  leaseMs: number;
  /** Whose work is continued: a claim of theirs is taken over. */
  predecessor?: string | undefined;
  /** Absent: whatever was asked for when the claim was taken over from its holder. */
  request?: ClaimRequest | undefined;
}

export interface TakenClaim {
  kind: "taken";
  claim: Claim;
  /** When the lease ends. */
  until: string;
}

/** `foreign`: the item is somebody else's by now; `gone`: nobody's, its ref was deleted. */
export type ReleasedClaim = { kind: "released" | "foreign" | "gone" };

/** Whoever is about to push has at least so much time for it. */
const pushMs = 15 * 60_000;
/** How often somebody else may be faster before we give way. */
const maxTries = 3;

/**
 * Takes a work item for one run, or says with exit 24 who has it. It is free when nobody ever took it, when it was
 * released, when its lease is over, and for the holder itself or the one that goes on in its place; and when nobody holds
 * another item that stands for the same work.
 */
export async function takeClaim(deps: ClaimDeps, wanted: WantedClaim): Promise<TakenClaim> {
  const { item } = wanted;
  claimRef(item);
  for (let tries = 0; tries < maxTries; tries++) {
    const from = await readTip(deps, item);
    if (from) requireFree(deps, from, wanted);
    const note = noteFor(wanted, { from, now: deps.clock.now() });
    await requireAlone(deps, note, wanted);
    const move = await moveClaim(deps, { from, note });
    if (move.kind === "moved") {
      const claim = claimOf(item, move.tip);
      await keepAlone(deps, { claim, note, wanted });
      return { kind: "taken", claim, until: note.expires_at };
    }
  }
  throw claimContested(item);
}

function noteFor(
  wanted: WantedClaim,
  { from, now }: { from: ClaimTip | undefined; now: number },
): ClaimNote {
  const { item, holder, url, leaseMs } = wanted;
  const expires_at = new Date(now + leaseMs).toISOString();
  const known = from?.note && isHolder(from.note, wanted) ? claimRequestOf(from.note) : {};
  return { item, holder, url, expires_at, state: "held", ...(wanted.request ?? known) };
}

const isHolder = (note: ClaimNote, { holder, predecessor }: Same) =>
  note.holder === holder || note.holder === predecessor;

function requireFree({ github, clock }: ClaimDeps, tip: ClaimTip, wanted: WantedClaim): void {
  if (!tip.note) throw claimUnreadable(github, wanted.item);
  if (!isHolder(tip.note, wanted) && !isFree(tip.note, clock.now()))
    throw claimHeld(github, tip.note);
}

type Same = Pick<WantedClaim, "holder" | "predecessor">;

/** Nobody works on the same under another name. */
async function requireAlone(deps: ClaimDeps, note: ClaimNote, same: Same): Promise<void> {
  const other = await findOverlap(deps, note, (each) => isHolder(each, same));
  if (other) throw claimHeld(deps.github, other);
}

type Taken = { claim: Claim; note: ClaimNote; wanted: WantedClaim };

/** Of two that took both names at the same moment each sees the other one now, and gives way. */
async function keepAlone(deps: ClaimDeps, { claim, note, wanted }: Taken): Promise<void> {
  try {
    await requireAlone(deps, note, wanted);
  } catch (error) {
    await releaseClaim(deps, claim);
    throw error;
  }
}

const claimOf = (item: string, { commit }: ClaimTip): Claim => ({ item, commit });

/**
 * Makes sure, before anything is pushed, that the item is still ours and stays so for a quarter of an hour; else exit 24.
 * A lease that ran out, or was released by a job of the same run, is taken again as long as nobody else came.
 */
export async function requireClaim(deps: ClaimDeps, claim: Claim): Promise<Claim> {
  return insist(deps.clock, async () => {
    const { tip, note } = await requireOwn(deps, claim);
    const leftMs = Date.parse(note.expires_at) - deps.clock.now();
    if (note.state === "held" && leftMs >= pushMs) return claimOf(claim.item, tip);
    return extend(deps, { tip, note, leaseMs: pushMs });
  });
}

const againMs = [1000, 4000] as const;

/** What GitHub tells may lag behind what it did: that a claim is lost is not believed at once. */
async function insist<Result>(
  clock: ClaimDeps["clock"],
  act: () => Promise<Result>,
): Promise<Result> {
  for (const pauseMs of againMs) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof RalphError) || error.reason !== "claim") throw error;
      await clock.sleep(pauseMs);
    }
  }
  return act();
}

type Own = { tip: ClaimTip; note: ClaimNote };

async function extend(
  deps: ClaimDeps,
  { tip, note, leaseMs }: Own & { leaseMs: number },
): Promise<Claim> {
  const expires_at = new Date(deps.clock.now() + leaseMs).toISOString();
  const next: ClaimNote = { ...note, expires_at, state: "held" };
  // A lease that is over, or an item that was given back, may have let somebody else in.
  if (isFree(note, deps.clock.now())) await requireAlone(deps, next, note);
  const move = await moveClaim(deps, { from: tip, note: next });
  if (move.kind === "moved") return claimOf(note.item, move.tip);
  throw claimLost(note.item, "somebody took it just now");
}

async function requireOwn(deps: ClaimDeps, claim: Claim): Promise<Own> {
  const { item } = claim;
  const tip = await readTip(deps, item);
  if (!tip) throw claimLost(item, `${claimRef(item)} was deleted`);
  if (!tip.note) throw claimUnreadable(deps.github, item);
  if (await isOwn(deps, claim, tip)) return { tip, note: tip.note };
  if (isFree(tip.note, deps.clock.now()))
    throw claimLost(item, "another run has worked on it since");
  throw claimHeld(deps.github, tip.note);
}

/** At our commit, or at a later one of the same holder: then nobody else has had it in between. */
async function isOwn(
  { github }: ClaimDeps,
  claim: Claim,
  { commit, note }: ClaimTip,
): Promise<boolean> {
  if (commit === claim.commit) return true;
  const own = await readClaimCommit(github, claim);
  return own?.note !== undefined && own.note.holder === note?.holder;
}

/** Gives an item back. What is somebody else's by now is left alone; twice is once. */
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

/** How many claims are looked at for one of a holder. */
const maxLooks = 100;

/**
 * The item a holder was the last to have, released or not; undefined: none that was found. Newer issues are looked at
 * first.
 */
export async function findClaimOf(deps: ClaimDeps, holder: string): Promise<string | undefined> {
  const items = await listClaimedItems(deps);
  for (const item of items.toSorted(byLikelihood).slice(0, maxLooks)) {
    const tip = await readTip(deps, item);
    if (tip?.note?.holder === holder) return item;
  }
  return undefined;
}

/** What has one ref for ever, then issues by number; reports come last. */
function byLikelihood(a: string, b: string): number {
  return rankOf(b) - rankOf(a);
}

function rankOf(item: string): number {
  if (item.startsWith("report-")) return 0;
  return Number(/^issue-(\d+)$/.exec(item)?.[1] ?? Number.MAX_SAFE_INTEGER);
}
