import { expect, test } from "vitest";
import { countFromToday, spentToday } from "../../../app/runs/day-totals.ts";
import type { DispatchedRun } from "../../../app/runs/dispatched-run.ts";
import { judgeStart } from "../../../app/runs/start-verdict.ts";
import { Config } from "../../../src/schema/config/config.ts";
import { createWorkRequest, type WorkRequest } from "../../../src/schema/work-request.ts";
import { dispatchedRun } from "../../support/app/runs.ts";

const config = (change: object = {}) =>
  Config.parse({
    version: "1",
    task_source: { type: "prd_json", path: ".ralph/prd.json" },
    git: { base_branch: "main" },
    gates: { full: [{ name: "test", cmd: "npm test" }] },
    autopilot: { enabled: true },
    ...change,
  });

const run = (change: Partial<DispatchedRun> = {}) =>
  dispatchedRun({ started_at: 0, changed_at: 0, ...change });

type Row = [string, WorkRequest["trigger"], Parameters<typeof judgeStart>[1], string, RegExp?];
const none = {
  ...{ startedToday: [], spentToday: 0, openPulls: 0 },
  ...{ isPaused: false, isRejected: false, isEdited: false, isClosed: false },
};
const rows: Row[] = [
  ["no limit reached", "label", { config: config(), ...none }, "start"],
  [
    "the autopilot disabled and a label",
    "label",
    { config: config({ autopilot: { enabled: false } }), ...none },
    "refused",
    /`autopilot\.enabled` is false/,
  ],
  [
    "the autopilot disabled and an explicit command",
    "start-command",
    { config: config({ autopilot: { enabled: false } }), ...none },
    "start",
  ],
  [
    "the limit of runs per day reached",
    "label",
    {
      config: config({ limits: { runs_per_day: 2 } }),
      ...none,
      startedToday: [run(), run()],
    },
    "waiting",
    /2 runs started today/,
  ],
  [
    "no run allowed at all",
    "start-command",
    { config: config({ limits: { runs_per_day: 0 } }), ...none },
    "waiting",
    /0 runs started today/,
  ],
  [
    "the day's budget spent",
    "start-command",
    {
      config: config({ limits: { budget_usd_per_day: 5 } }),
      ...none,
      startedToday: [run(), run(), run()],
      spentToday: 5,
    },
    "waiting",
    /\$5\.00 was spent today/,
  ],
  [
    "an open ralph pull request",
    "report-push",
    { config: config(), ...none, openPulls: 1 },
    "waiting",
    /1 ralph pull request is open/,
  ],
  [
    "the repository paused, and an explicit command",
    "start-command",
    { config: config(), ...none, isPaused: true },
    "waiting",
    /ralph is paused/,
  ],
  [
    "an issue whose pull request was closed without a merge, and a label",
    "label",
    { config: config(), ...none, isRejected: true },
    "refused",
    /closed without a merge/,
  ],
  [
    "such an issue, and a comment",
    "start-command",
    { config: config(), ...none, isRejected: true },
    "start",
  ],
  [
    "an issue that was edited after the request",
    "start-command",
    { config: config(), ...none, isEdited: true, isPaused: true },
    "refused",
    /edited after the request/,
  ],
  [
    "a label on an issue that was closed while it waited",
    "label",
    { config: config(), ...none, isClosed: true },
    "refused",
    /closed before the run began/,
  ],
  [
    "an explicit command for a closed issue",
    "start-command",
    { config: config(), ...none, isClosed: true },
    "start",
  ],
  [
    "room for two pull requests",
    "report-push",
    {
      config: config({ limits: { open_prs: 2 } }),
      ...none,
      openPulls: 1,
    },
    "start",
  ],
];

test.each(rows)("%s", (_, trigger, facts, kind, reason) => {
  const request = createWorkRequest({ command: "run", item: "issue-12", issue: 12, trigger });
  const verdict = judgeStart(request, facts);
  expect(verdict.kind).toBe(kind);
  if (reason) expect("reason" in verdict && verdict.reason).toMatch(reason);
});

test("the cost of a day includes the parts of earlier runs that continued on it", () => {
  const day = 24 * 3_600_000;
  const now = 10 * day + 3_600_000;
  const today = run({ started_at: now - 60_000, cost_usd: 1 });
  const before = run({ started_at: now - day, cost_usd: 4 });
  const goesOn = countFromToday(before, now);
  expect(goesOn.day).toEqual({ began_at: now, cost_usd: 4 });
  expect(countFromToday(today, now)).toBe(today);
  expect(spentToday([today, before, { ...goesOn, cost_usd: 6.5 }], now)).toBe(3.5);
  // The part after midnight has its own start.
  expect(countFromToday({ ...goesOn, cost_usd: 6.5 }, now + day).day).toMatchObject({
    cost_usd: 6.5,
  });
});
