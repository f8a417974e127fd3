import * as z from "zod";
import { RalphError } from "../../error.ts";
import { isObjectId } from "../../git/trees/objects.ts";
import { parseJsonAs } from "../../schema/base/parse-json-as.ts";
import { WorkRequest } from "../../schema/work-request.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { GitHub } from "../api/create-github.ts";

/** A claim as its holder knows it: the work item, and the commit the claim wrote to the item's ref. */
export interface Claim {
  item: string;
  commit: string;
}

/** The closed list of items; each becomes part of a ref's name (T40). */
const itemName = /^(?:issue-[1-9]\d{0,9}|report-[0-9a-f]{16}|reports|prd)$/;

const Note = z.object({
  item: z.string().regex(itemName),
  /** Who works on it: the id of a workflow run, or a unique name given by the App. */
  holder: z.string().min(1).max(200),
  /** Page that shows the holder's work. */
  url: z.string().max(500),
  /** From then on anyone may take the item, released or not. */
  expires_at: z.iso.datetime(),
  state: z.enum(["held", "released"]),
  /** It passes with the claim from one holder to the next. */
  request: WorkRequest.optional(),
});

/** The content of a claim: one line of JSON in its commit's message. Claims of earlier versions are read as well. */
export const ClaimNote = z.preprocess(upgradeClaim, Note);
export type ClaimNote = z.output<typeof Note>;

/** Earlier versions wrote `also`, `text` and `again` instead of the request. */
function upgradeClaim(line: unknown): unknown {
  const { also, text, again, ...note } = Object(line);
  const isOld = [also, text, again].some((value) => value !== undefined);
  if (note.request !== undefined || !isOld) return line;
  const isIssue = String(note.item).startsWith("issue-");
  const request = {
    command: isIssue ? "run" : "autopilot",
    item: note.item,
    ...(isIssue && { issue: issueOf(note.item) }),
    ...(also !== undefined && { issue: issueOf(also), alternativeIssue: issueOf(also) }),
    overridesRejection: again === true,
    ...(text !== undefined && { textDigest: text }),
    trigger: again === true ? "start-command" : "label",
  };
  return { ...note, request };
}

const issueOf = (item: unknown) => Number(String(item).replace("issue-", ""));

/** Actions of earlier versions read these keys; without them they would miss edits (T05) and overlapping claims. */
function keysOfEarlierVersions({ request }: ClaimNote) {
  if (!request) return {};
  const { alternativeIssue, textDigest, overridesRejection } = request;
  return {
    ...(alternativeIssue !== undefined && { also: `issue-${alternativeIssue}` }),
    ...(textDigest !== undefined && { text: textDigest }),
    ...(overridesRejection && { again: true }),
  };
}

export const claimsFolder = "refs/ralph/claims/";

/** The ref of a work item. It is not a branch, so moving it starts no CI. */
export function claimRef(item: string): string {
  if (itemName.test(item)) return `${claimsFolder}${item}`;
  throw new RalphError("config", {
    message: `${JSON.stringify(item)} is not a work item.`,
    remedy: "Claim issue-NUMBER, report-DIGEST (16 hexadecimal digits), reports or prd.",
  });
}

/** The item of a claim's ref; undefined for any other ref. */
export function itemOfRef(ref: string): string | undefined {
  const item = ref.startsWith(claimsFolder) ? ref.slice(claimsFolder.length) : "";
  return itemName.test(item) ? item : undefined;
}

/** The message of a claim's commit: one line for people, one for programs. */
export function renderClaim(note: ClaimNote): string {
  const { item, holder, expires_at: until, state } = ClaimNote.parse(note);
  const act = state === "held" ? `works on ${item} until ${until}` : `released ${item}`;
  const line = JSON.stringify({ ...note, ...keysOfEarlierVersions(note) });
  return `ralph: ${holderName(holder)} ${act}\n\n${line}\n`;
}

/** A holder's name in messages. */
export const holderName = (holder: string): string =>
  /^\d+$/.test(holder) ? `workflow run ${holder}` : plainLine(holder);

/** Parses such a message; undefined unless it is a claim on this item. */
export function parseClaim(message: string, item: string): ClaimNote | undefined {
  const line = message.split("\n").findLast((each) => each.startsWith("{"));
  const note = parseJsonAs(ClaimNote, line);
  return note?.item === item ? note : undefined;
}

/** Tolerates clocks that differ a little. */
const toleranceMs = 60_000;

/** Whether the claim was released or has expired. */
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
    remedy: "Pass on the output `claim` of the job that took it, such as `issue-12:COMMIT`.",
  });
}

/** Exit 24: another run works on the item. */
export function claimHeld(
  github: GitHub,
  { item, holder, url, expires_at: until }: ClaimNote,
): RalphError {
  return new RalphError("claim", {
    message: `${item} is claimed by ${holderName(holder)} (${plainLine(url, 500)}) until ${until} at the latest.`,
    remedy: `Wait until it ends, or cancel it. If it no longer exists: ${deletion(github, item)}`,
  });
}

/** Exit 24: the item's ref does not hold a claim, so it is left alone. */
export function claimUnreadable(github: GitHub, item: string): RalphError {
  return new RalphError("claim", {
    message: `${claimRef(item)} does not point to a readable claim, so it is unknown who works on ${item}.`,
    remedy: `Look at it with a newer ralph. If no run works on it: ${deletion(github, item)}`,
  });
}

/** Exit 24: this run no longer holds the item. */
export function claimLost(item: string, reason: string): RalphError {
  return new RalphError("claim", {
    message: `This run lost its claim on ${item}: ${reason}. Nothing was pushed.`,
    remedy: "Check the result of the other run, then start the workflow again if work is left.",
  });
}

/** The command that removes a claim by force. */
const deletion = ({ repository }: GitHub, item: string) =>
  `\`gh api -X DELETE repos/${repository}/git/${claimRef(item)}\``;
