import { normalize } from "node:path/posix";
import type { GitHub } from "../../github/api/create-github.ts";
import { type ClaimNote, parseClaimLine } from "../../github/claims/claim-note.ts";
import { readClaimCommit } from "../../github/claims/claim-ref.ts";
import { isCommand } from "../../github/claims/require-writer.ts";
import type { Environment } from "../../platform/system.ts";
import { sha256 } from "../../schema/session-files/checksum.ts";
import { createWorkRequest, type WorkRequest } from "../../schema/work-request.ts";
import type { Inputs } from "./inputs.ts";

type Job = { inputs: Inputs; env: Environment };

/**
 * What a job is to work on: as its claim says, which nobody can change any more; without a claim as its inputs and its
 * event say.
 */
export async function readRequest(github: GitHub, { inputs, env }: Job): Promise<WorkRequest> {
  const note = await readNote(github, env.RALPH_CLAIM ?? "");
  if (note?.request) return note.request;
  const request = requestOfInputs({ inputs, env });
  // A claim that does not say who commanded it is nobody's command, whatever event has started the job.
  return note ? { ...request, overridesRejection: false } : request;
}

async function readNote(github: GitHub, line: string): Promise<ClaimNote | undefined> {
  if (line === "") return undefined;
  return (await readClaimCommit(github, parseClaimLine(line)))?.note;
}

/** The request of a job without a claim. An issue beside a folder of reports is one of those to choose from. */
export function requestOfInputs({ inputs, env }: Job): WorkRequest {
  const { "issue-number": issue, report, "reports-dir": folder } = inputs;
  const trigger = triggerOf(env.GITHUB_EVENT_NAME ?? "");
  if (issue === undefined) {
    const item = report === undefined ? "reports" : reportItem(report);
    return createWorkRequest({ command: "autopilot", item, trigger });
  }
  return folder === undefined
    ? createWorkRequest({ command: "run", item: `issue-${issue}`, issue, trigger })
    : createWorkRequest({
        ...{ command: "autopilot", item: "reports", trigger },
        ...{ issue, alternativeIssue: issue },
      });
}

/** However its path is written, a report is one item. */
export const reportItem = (path: string): string =>
  `report-${sha256(normalize(path)).slice(0, 16)}`;

const triggers: Readonly<Record<string, WorkRequest["trigger"]>> = {
  issues: "label",
  push: "report-push",
};

/** An event this does not know counts as a program: it overrides nothing. */
const triggerOf = (event: string): WorkRequest["trigger"] =>
  isCommand(event) ? "start-command" : (triggers[event] ?? "schedule");
