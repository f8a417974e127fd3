import * as z from "zod";
import { RalphError } from "../../error.ts";
import { isObjectId } from "../../git/trees/objects.ts";
import { plainLine } from "../../text/plain-text.ts";

/** A claim as its holder knows it: the work item, and the commit the item's ref stood at when it was taken. */
export interface Claim {
  item: string;
  commit: string;
}

/** What can be claimed, and nothing else: each is a part of the name of a ref (T40). */
const itemName = /^(?:issue-[1-9]\d{0,9}|report-[0-9a-f]{16}|reports|prd)$/;

/** What a claim says of itself, as one line of its commit's message. */
export const ClaimNote = z.object({
  item: z.string().regex(itemName),
  /** Who works on it: a workflow run's id, or a text of an App's that nobody else ever gives. */
  holder: z.string().min(1).max(200),
  /** Where to see what the holder does. */
  url: z.string().max(500),
  /** When anybody else may take it, released or not. */
  expires_at: z.iso.datetime(),
  state: z.enum(["held", "released"]),
  /** Another item the run may choose instead: nobody else works on that one either. */
  also: z.string().regex(itemName).optional(),
  /** Digest of the issue as it read when it was asked for (T05). */
  text: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** A person has commanded it, so that it counts even if it was worked on before. */
  again: z.literal(true).optional(),
});
export type ClaimNote = z.output<typeof ClaimNote>;

/** What was asked for beside the item; it goes with the claim from one holder to the next. */
export type ClaimRequest = Pick<ClaimNote, "also" | "text" | "again">;

export function claimRequestOf({ also, text, again }: ClaimRequest): ClaimRequest {
  return { ...(also && { also }), ...(text && { text }), ...(again && { again }) };
}

export const claimsFolder = "refs/ralph/claims/";

/** The ref of a work item. It is no branch, so moving it starts no CI. */
export function claimRef(item: string): string {
  if (itemName.test(item)) return `${claimsFolder}${item}`;
  throw new RalphError("config", {
    message: `${JSON.stringify(item)} is nothing that can be claimed.`,
    remedy: "Claim issue-NUMBER, report-DIGEST (16 hexadecimal digits), reports or prd.",
  });
}

/** The item of a claim's ref; undefined for a ref that is none of ours. */
export function itemOfRef(ref: string): string | undefined {
  const item = ref.startsWith(claimsFolder) ? ref.slice(claimsFolder.length) : "";
  return itemName.test(item) ? item : undefined;
}

/** The message of a claim's commit: one line for people, one for us. */
export function renderClaim(note: ClaimNote): string {
  const { item, holder, expires_at: until, state } = ClaimNote.parse(note);
  const who = holderName(holder);
  const headline =
    state === "held"
      ? `ralph: ${who} works on ${item} until ${until}`
      : `ralph: ${who} released ${item}`;
  return `${headline}\n\n${JSON.stringify(note)}\n`;
}

/** What people call a holder. */
export const holderName = (holder: string): string =>
  /^\d+$/.test(holder) ? `workflow run ${holder}` : plainLine(holder);

/** Reads such a message; undefined when it is not one of ours about this item. */
export function parseClaim(message: string, item: string): ClaimNote | undefined {
  const line = message.split("\n").findLast((each) => each.startsWith("{")) ?? "";
  const parsed = ClaimNote.safeParse(parseLine(line));
  return parsed.success && parsed.data.item === item ? parsed.data : undefined;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Clocks a little apart do not matter. */
const toleranceMs = 60_000;

/** Whether somebody may take over what a note says, without asking its holder. */
export function isFree({ state, expires_at: until }: ClaimNote, now: number): boolean {
  return state === "released" || Date.parse(until) + toleranceMs < now;
}

/** A claim as one line, for handing it from one job to the next. */
export const renderClaimLine = ({ item, commit }: Claim): string => `${item}:${commit}`;

export function parseClaimLine(line: string): Claim {
  const [item = "", commit = "", ...more] = line.trim().split(":");
  if (itemName.test(item) && isObjectId(commit) && more.length === 0) return { item, commit };
  throw new RalphError("config", {
    message: `${JSON.stringify(line)} is not a claim.`,
    remedy: "Hand over the output `claim` of the job that took it, such as `issue-12:COMMIT`.",
  });
}
