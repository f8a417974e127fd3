import * as z from "zod";
import type { GitHub } from "../../src/github/api/create-github.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import { digestOfIssue } from "../../src/github/issues/issue-text.ts";
import { issueToRead } from "../../src/schema/work-request.ts";
import type { Start } from "./run-parts.ts";

const Answer = z.object({
  title: z.string(),
  body: z.string().nullish(),
  state: z.string().default("open"),
});
type Issue = z.output<typeof Answer>;

type Bound = { start: Start; isEdited: boolean; isClosed: boolean };

/**
 * Binds a start to what its issue says: as it was asked for, else as it is now (T05). Whoever reads the issue later goes by
 * that; an edit since it was asked for already makes `isEdited` true.
 */
export async function bindToIssueText(github: GitHub, start: Start): Promise<Bound> {
  const { request, resumes } = start;
  const { textDigest: digest } = request;
  const number = issueToRead(request);
  if (number === undefined || resumes) return { start, isEdited: false, isClosed: false };
  const issue = await readIssue(github, number);
  if (!issue) return { start, isEdited: false, isClosed: false };
  const now = digestOfIssue(issue);
  return {
    start: { ...start, request: { ...request, textDigest: digest ?? now } },
    isEdited: digest !== undefined && digest !== now,
    isClosed: issue.state === "closed",
  };
}

/** Undefined: it is gone. */
async function readIssue(github: GitHub, number: number): Promise<Issue | undefined> {
  try {
    const { data } = await github.ask({
      route: "GET /repos/{owner}/{repo}/issues/{issue_number}",
      parameters: { issue_number: number },
      purpose: { act: `read issue ${number}`, permission: "issues: read", reason: "claim" },
    });
    return Answer.parse(data);
  } catch (error) {
    if ([404, 410].includes(httpStatusOf(error) ?? 0)) return undefined;
    throw error;
  }
}
