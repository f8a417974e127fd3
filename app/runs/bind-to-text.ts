import type { GitHub } from "../../src/github/api/create-github.ts";
import { unlessStatus } from "../../src/github/api/expected-refusals.ts";
import { digestOfIssue } from "../../src/github/issues/issue-text.ts";
import { issueToRead } from "../../src/schema/work-request.ts";
import { plainLine } from "../../src/text/plain-text.ts";
import type { Start } from "./run-parts.ts";

export interface BoundStart {
  start: Start;
  /** Title of the issue. */
  title?: string;
  /** The issue's text has changed since the request. */
  isEdited: boolean;
  isClosed: boolean;
}

/**
 * Binds a start to its issue's text at the time of the request, or now if the request has no digest (T05). Every later
 * reader of the issue checks against that digest.
 */
export async function bindToIssueText(github: GitHub, start: Start): Promise<BoundStart> {
  const { request, resumes } = start;
  const number = issueToRead(request);
  if (number === undefined || resumes) return { start, isEdited: false, isClosed: false };
  const issue = await readIssue(github, number);
  if (!issue) return { start, isEdited: false, isClosed: false };
  const current = digestOfIssue(issue);
  const { textDigest = current } = request;
  return {
    start: { ...start, request: { ...request, textDigest } },
    title: plainLine(issue.title, maxTitle),
    isEdited: textDigest !== current,
    isClosed: issue.state === "closed",
  };
}

/** Enough to recognise an issue. */
const maxTitle = 120;

/** Undefined if the issue was deleted. */
async function readIssue(github: GitHub, number: number) {
  const asked = github.ask(
    { act: `read issue ${number}`, permission: "issues: read", reason: "claim" },
    ({ rest }) => rest.issues.get({ ...github.repo, issue_number: number }),
  );
  return (await unlessStatus([404, 410], asked))?.data;
}
