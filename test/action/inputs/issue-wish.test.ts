import { expect, test } from "vitest";
import { readIssueWish } from "../../../src/action/inputs/issue-wish.ts";
import { takeClaim } from "../../../src/github/claims/claim.ts";
import { type ClaimRequest, renderClaimLine } from "../../../src/github/claims/claim-note.ts";
import { inputsOf } from "../../support/action/step.ts";
import { claiming } from "../../support/github/claiming.ts";

type Given = { inputs?: Record<string, string>; event?: string };

/** What a job with a claim reads of it; without `wish` it has none. */
async function read(
  wish: ClaimRequest | undefined,
  { inputs = {}, event = "schedule" }: Given = {},
) {
  const { result } = await claiming(async (contender) => {
    const deps = contender("a");
    const taking = { item: "reports", holder: "1", url: "", leaseMs: 3_600_000 };
    const taken = wish && (await takeClaim(deps, { ...taking, request: wish }));
    const env = {
      GITHUB_EVENT_NAME: event,
      RALPH_CLAIM: taken ? renderClaimLine(taken.claim) : "",
    };
    const given = inputsOf({ command: "autopilot", ...inputs });
    return readIssueWish(deps.github, { inputs: given, env });
  });
  return result;
}

const text = "0".repeat(64);

test("a job goes by what its claim says, whatever event has started it", async () => {
  expect(await read({ also: "issue-12", text, again: true })).toEqual({
    ...{ issue: 12, among: true, again: true, text },
  });
  expect(await read({}, { inputs: { "issue-number": "7" }, event: "workflow_dispatch" })).toEqual({
    ...{ issue: 7, among: false, again: false },
  });
});

test.each([
  ["workflow_dispatch", true],
  ["issue_comment", true],
  ["issues", false],
  ["schedule", false],
])("a job without a claim, started by %s, is commanded: %s", async (event, again) => {
  const inputs = { "issue-number": "7" };
  expect(await read(undefined, { inputs, event })).toEqual({ issue: 7, among: false, again });
});

test("a folder of reports beside an issue means to choose among all of them", async () => {
  const inputs = { "issue-number": "7", "reports-dir": "reports" };
  expect(await read(undefined, { inputs })).toEqual({ issue: 7, among: true, again: false });
  expect(await read(undefined, { inputs: { "reports-dir": "reports" } })).toEqual({
    ...{ among: false, again: false },
  });
});
