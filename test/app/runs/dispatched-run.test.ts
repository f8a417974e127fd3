import { expect, test } from "vitest";
import { DispatchedRun } from "../../../app/runs/dispatched-run.ts";
import { ada } from "../../support/app/running-app.ts";
import { dispatchedRun, reportsRequest, workRequest } from "../../support/app/runs.ts";

const textDigest = "0".repeat(64);
const byAda = { sender: ada, text: textDigest };
const { request: _, ...rest } = dispatchedRun();

/** Notes of the version before requests had one shape, as a database still holds them. */
const stored: [string, object, DispatchedRun["request"]][] = [
  [
    "a label",
    { command: "run", item: "issue-12", issue: 12, wish: { trigger: "label", ...byAda } },
    workRequest({ actor: ada, textDigest }),
  ],
  [
    "a command",
    { command: "run", item: "issue-12", issue: 12, wish: { trigger: "start-command", ...byAda } },
    workRequest({
      ...{ trigger: "start-command", overridesRejection: true },
      ...{ actor: ada, textDigest },
    }),
  ],
  [
    "the autopilot's label",
    {
      ...{ command: "autopilot", item: "reports", issue: 12, among: true },
      wish: { trigger: "autopilot-label", ...byAda },
    },
    reportsRequest({
      ...{ issue: 12, alternativeIssue: 12, trigger: "autopilot-label" },
      ...{ actor: ada, textDigest },
    }),
  ],
  [
    "the schedule",
    { command: "autopilot", item: "reports", wish: { trigger: "schedule" } },
    reportsRequest({ trigger: "schedule" }),
  ],
  [
    "an unknown trigger",
    { command: "run", item: "issue-12", issue: 12 },
    workRequest({ trigger: "label" }),
  ],
];

test.each(stored)("the note of a run started by %s is read", (_, old, request) => {
  expect(DispatchedRun.parse({ ...rest, asker: "ada", ...old })).toEqual({ ...rest, request });
});

test("a note in the current shape is read unchanged", () => {
  const run = dispatchedRun();
  expect(DispatchedRun.parse(run)).toEqual(run);
});
