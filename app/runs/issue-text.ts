import * as z from "zod";
import type { GitHub } from "../../src/github/create-github.ts";
import { digestOfIssue } from "../../src/github/issue-text.ts";
import { statusOf } from "../../src/github/to-ralph-error.ts";
import type { Start } from "./start-run.ts";

const Answer = z.object({ title: z.string(), body: z.string().nullish() });

/**
 * Binds a start to what its issue says: as it was asked for, else as it is now (T05). Whoever reads the issue later goes by
 * that; an edit since it was asked for already makes `isEdited` true.
 */
export async function bindToText(
  github: GitHub,
  start: Start,
): Promise<{ start: Start; isEdited: boolean }> {
  const { issue, command, among, text, goesOn } = start;
  const isRead = issue !== undefined && (command === "run" || among) && !goesOn;
  const now = isRead ? await readDigest(github, issue) : undefined;
  if (now === undefined) return { start, isEdited: false };
  return { start: { ...start, text: text ?? now }, isEdited: text !== undefined && text !== now };
}

/** Digest of what an issue says now; undefined: it is gone. */
async function readDigest(github: GitHub, issue: number): Promise<string | undefined> {
  try {
    const { data } = await github.ask({
      route: "GET /repos/{owner}/{repo}/issues/{issue_number}",
      parameters: { issue_number: issue },
      purpose: { act: `read issue ${issue}`, permission: "issues: read", reason: "claim" },
    });
    return digestOfIssue(Answer.parse(data));
  } catch (error) {
    if ([404, 410].includes(statusOf(error) ?? 0)) return undefined;
    throw error;
  }
}
