import { hash, timingSafeEqual } from "node:crypto";
import type { Role, SignalReading } from "../state/roles.ts";
import { scanTags, type Tag } from "./tag.ts";

/** The claims with which each role may end (specs 004 appendix B, compatibility 1.6). */
export const signalNames: Readonly<Record<Role, readonly string[]>> = {
  implementation: ["task-done"],
  test_writing: ["tests-done"],
  review: ["review-approved", "review-rejected"],
  fix: ["fix-done", "ui-fix-done", "robot-fix-done"],
  planning: ["plan", "ui-plan", "robot-plan"],
};

/** Longest body copied into notes, progress and feedback (characters). */
const maxBody = 8 * 1024;
const maxSubtasks = 200;

type Expected = { role: Role; token: string };

/**
 * Reads the claim of the final message (T48). A claim is `<name session="TOKEN">body</name>`: name in any case, other
 * attributes and single quotes tolerated, body up to the nearest closing tag. Code fences and quoting do not matter:
 * agents fence their answers, and only the complete token of this call makes a claim valid. Of several tags, any with
 * the right token counts and the last one wins; both review claims together contradict each other. An approval counts
 * only as the last element of the message: what a reviewer quotes or takes back is no verdict.
 */
export function readSignal(message: string, { role, token }: Expected): SignalReading {
  const claims = signalNames[role].map((name) => readClaim(message, name, token));
  const valid = claims.filter(({ claim }) => claim.kind === "valid");
  if (valid.length > 1) return { kind: "contradiction" };
  const counting = valid.find(({ claim, end }) => !isQuoted(claim, message.slice(end)));
  const foreign = claims.find(({ claim }) => claim.kind === "wrong-token");
  return (counting ?? foreign)?.claim ?? { kind: "missing" };
}

/** An approval with more after it than white space and the end of a code fence. */
const isQuoted = (claim: Claim, rest: string) =>
  claim.kind === "valid" && claim.name === "review-approved" && !/^[\s`~]*$/.test(rest);

type Claim = Exclude<SignalReading, { kind: "contradiction" }>;

/** The last valid claim and the end of its tag. It keeps only the last opening tags, so hostile text needs no more memory. */
function readClaim(message: string, name: string, token: string): { claim: Claim; end: number } {
  let claim: Claim = { kind: "missing" };
  let opened: Tag | undefined;
  let isForeignOpen = false;
  let end = 0;
  for (const tag of scanTags(message, name)) {
    if (tag.kind === "opening") {
      if (isSameToken(tag.attributes.session, token)) opened = tag;
      else isForeignOpen = true;
      continue;
    }
    if (opened) {
      end = tag.end;
      claim = { kind: "valid", name, body: cleanBody(message.slice(opened.end, tag.start), token) };
    } else if (isForeignOpen && claim.kind === "missing") {
      claim = { kind: "wrong-token", name };
    }
    opened = undefined;
    isForeignOpen = false;
  }
  return { claim, end };
}

/** Ids of checkpoint subtasks reported as done, each once (compatibility 1.10). The opening tag is enough. */
export function readSubtaskSignals(message: string, token: string): string[] {
  const ids = new Set<string>();
  for (const tag of scanTags(message, "subtask-complete")) {
    if (ids.size === maxSubtasks) break;
    if (tag.kind === "closing" || !isSameToken(tag.attributes.session, token)) continue;
    const { id = "" } = tag.attributes;
    if (/^T-\d{3}\.\d{1,6}$/.test(id)) ids.add(id);
  }
  return [...ids];
}

/** The length of a token is no secret; its characters are compared in constant time, never by prefix. */
function isSameToken(given: string | undefined, token: string): boolean {
  if (given === undefined || token === "" || given.length !== token.length) return false;
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", token, "buffer"));
}

/** Bounded, printable, well-formed, and without the token, which lives in session.json only (T49). */
function cleanBody(body: string, token: string): string {
  return body
    .trimStart()
    .slice(0, maxBody + token.length)
    .replaceAll(token, "***")
    .slice(0, maxBody)
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .toWellFormed()
    .trim();
}
