import { normalize } from "node:path/posix";
import type { GitHub } from "../../github/api/create-github.ts";
import { parseClaimLine } from "../../github/claims/claim-note.ts";
import { readClaimCommit } from "../../github/claims/claim-ref.ts";
import { isCommand } from "../../github/claims/require-writer.ts";
import type { Environment } from "../../platform/system.ts";
import { sha256 } from "../../schema/session-files/checksum.ts";
import { createWorkRequest, type WorkRequest } from "../../schema/work-request.ts";
import type { Inputs } from "./inputs.ts";

type Job = { inputs: Inputs; env: Environment };

/** The request of a job: that of its claim, which cannot change any more, else that of its inputs and its event. */
export async function readRequest(github: GitHub, { inputs, env }: Job): Promise<WorkRequest> {
  const claim = env.RALPH_CLAIM ? parseClaimLine(env.RALPH_CLAIM) : undefined;
  const note = claim && (await readClaimCommit(github, claim))?.note;
  if (note?.request) return note.request;
  const request = requestOfInputs({ inputs, env });
  // A claim without a request overrides nothing, whatever event started the job.
  return note ? { ...request, overridesRejection: false } : request;
}

/** The request of a job without a claim. With an issue and a folder of reports, the run chooses among all of them. */
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

/** The item of a report, the same for every spelling of its path. */
export const reportItem = (path: string): string =>
  `report-${sha256(normalize(path)).slice(0, 16)}`;

const triggers: Readonly<Record<string, WorkRequest["trigger"]>> = {
  issues: "label",
  push: "report-push",
};

/** An unknown event counts as a program: it overrides nothing. */
const triggerOf = (event: string): WorkRequest["trigger"] =>
  isCommand(event) ? "start-command" : (triggers[event] ?? "schedule");
