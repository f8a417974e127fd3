import { expect, test } from "vitest";
import { readRequest } from "../../../src/action/inputs/read-request.ts";
import { takeClaim } from "../../../src/github/claims/claim.ts";
import { renderClaimLine } from "../../../src/github/claims/claim-note.ts";
import { createWorkRequest, type WorkRequest } from "../../../src/schema/work-request.ts";
import { inputsOf } from "../../support/action/step.ts";
import { claiming } from "../../support/github/claiming.ts";

type Given = { inputs?: Record<string, string>; event?: string };

/** What a job reads; without `request` it has no claim. */
async function read(
  request: WorkRequest | undefined,
  { inputs = {}, event = "schedule" }: Given = {},
) {
  const { result } = await claiming(async (contender) => {
    const deps = contender("a");
    const taking = { item: "reports", holder: "1", url: "", leaseMs: 3_600_000 };
    const taken = request && (await takeClaim(deps, { ...taking, request }));
    const env = {
      GITHUB_EVENT_NAME: event,
      RALPH_CLAIM: taken ? renderClaimLine(taken.claim) : "",
    };
    const given = inputsOf({ command: "autopilot", ...inputs });
    return readRequest(deps.github, { inputs: given, env });
  });
  return result;
}

test("the request of the claim overrides the inputs and the event", async () => {
  const request = createWorkRequest({
    ...{ command: "autopilot", item: "reports", issue: 12, alternativeIssue: 12 },
    ...{ trigger: "autopilot-label", textDigest: "0".repeat(64) },
    actor: { login: "ada", id: 5, type: "User" },
  });
  const other = { inputs: { "issue-number": "7" }, event: "workflow_dispatch" };
  expect(await read(request, other)).toEqual(request);
});

test.each([
  ["workflow_dispatch", "start-command", true],
  ["issue_comment", "start-command", true],
  ["issues", "label", false],
  ["push", "report-push", false],
  ["schedule", "schedule", false],
  ["repository_dispatch", "schedule", false],
])("without a claim the event %s counts as %s", async (event, trigger, overridesRejection) => {
  const inputs = { "issue-number": "7" };
  expect(await read(undefined, { inputs, event })).toEqual({
    ...{ command: "run", item: "issue-7", issue: 7, trigger, overridesRejection },
  });
});

test("with an issue and a folder of reports, the run chooses among all of them", async () => {
  const inputs = { "issue-number": "7", "reports-dir": "reports" };
  const reports = createWorkRequest({ command: "autopilot", item: "reports", trigger: "schedule" });
  expect(await read(undefined, { inputs })).toEqual({ ...reports, issue: 7, alternativeIssue: 7 });
  expect(await read(undefined, { inputs: { "reports-dir": "reports" } })).toEqual(reports);
});
