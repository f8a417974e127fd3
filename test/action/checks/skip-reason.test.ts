import { expect, test } from "vitest";
import { skipReason } from "../../../src/action/checks/checks.ts";
import type { OwnPull } from "../../../src/github/pulls/pull.ts";
import { configWith } from "../../support/builders/config.ts";

const pull = (number: number, state: OwnPull["state"]): OwnPull => ({
  ...{ number, state, run: "20260120-100000-abc123", url: `https://g/pull/${number}` },
  ...{ title: "Ralph: x", mergedAt: null },
});
const on = { enabled: true };

const cases: [
  title: string,
  autopilot: object,
  given: { event: string; pulls?: OwnPull[] },
  says: RegExp | undefined,
][] = [
  ["a schedule", on, { event: "schedule" }, undefined],
  ["a schedule that is switched off", {}, { event: "schedule" }, /autopilot\.enabled.* schedule /],
  ["a label that is switched off", {}, { event: "issues" }, /autopilot\.enabled/],
  ["a push that is switched off", {}, { event: "push" }, /autopilot\.enabled/],
  ["a start by hand, which nothing switches off", {}, { event: "workflow_dispatch" }, undefined],
  ["work that waits", on, { event: "issues", pulls: [pull(3, "open")] }, /https:\/\/g\/pull\/3/],
  ["work that is decided", on, { event: "issues", pulls: [pull(3, "rejected")] }, undefined],
  [
    "work that waits, without pull requests",
    { ...on, create_pr: false },
    { event: "issues", pulls: [pull(3, "open")] },
    undefined,
  ],
];

test.each(cases)(
  "%s starts a run, or gives a reason",
  (_, autopilot, { event, pulls = [] }, says) => {
    const text = skipReason(configWith({ autopilot }), { event, pulls });
    if (says) expect(text).toMatch(says);
    else expect(text).toBeUndefined();
  },
);

test("with pull requests switched off, no run waits for a review", () => {
  const config = configWith({ autopilot: on, pr: { enabled: false } });
  expect(skipReason(config, { event: "schedule", pulls: [pull(3, "open")] })).toBeUndefined();
});

test("the configuration sets how many pull requests may wait", () => {
  const config = configWith({ autopilot: on, limits: { open_prs: 2 } });
  const pulls = [pull(3, "open"), pull(4, "merged")];
  expect(skipReason(config, { event: "schedule", pulls })).toBeUndefined();
  expect(skipReason(config, { event: "schedule", pulls: [...pulls, pull(5, "open")] })).toContain(
    "https://g/pull/3, https://g/pull/5",
  );
});
