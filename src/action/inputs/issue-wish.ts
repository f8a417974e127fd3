import type { GitHub } from "../../github/api/create-github.ts";
import { type ClaimNote, parseClaimLine } from "../../github/claims/claim-note.ts";
import { readClaimCommit } from "../../github/claims/claim-ref.ts";
import { isCommand } from "../../github/claims/require-writer.ts";
import type { Environment } from "../../platform/system.ts";
import type { Inputs } from "./inputs.ts";

/** The issue a job works on, and how it was asked for. */
export interface IssueWish {
  issue?: number;
  /** It is one of those to choose from, beside the reports. */
  among: boolean;
  /** It counts even if it was worked on before. */
  again: boolean;
  /** Digest of what it said when it was asked for; absent: the event tells. */
  text?: string;
}

/**
 * As the claim of the job says, which nobody can change any more; a job without one has only its inputs and its event. A
 * folder of reports beside an issue means to choose among all of them.
 */
export async function readIssueWish(
  github: GitHub,
  { inputs, env }: { inputs: Inputs; env: Environment },
): Promise<IssueWish> {
  const { "issue-number": number, "reports-dir": reports } = inputs;
  const note = await readNote(github, env.RALPH_CLAIM ?? "");
  const chosen = note?.also === undefined ? undefined : Number(note.also.replace("issue-", ""));
  const issue = chosen ?? number;
  return {
    ...(issue !== undefined && { issue }),
    among: chosen !== undefined || (number !== undefined && reports !== undefined),
    again: note ? note.again === true : isCommand(env.GITHUB_EVENT_NAME ?? ""),
    ...(note?.text && { text: note.text }),
  };
}

async function readNote(github: GitHub, line: string): Promise<ClaimNote | undefined> {
  if (line === "") return undefined;
  return (await readClaimCommit(github, parseClaimLine(line)))?.note;
}
