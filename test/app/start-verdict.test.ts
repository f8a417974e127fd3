import { expect, test } from "vitest";
import type { RunNote } from "../../app/runs/run-note.ts";
import { judgeStart } from "../../app/runs/start-verdict.ts";
import type { Trigger } from "../../app/triggers/authority.ts";
import { Config } from "../../src/model/config.ts";

const config = (change: object = {}) =>
  Config.parse({
    version: "1",
    task_source: { type: "prd_json", path: ".ralph/prd.json" },
    git: { base_branch: "main" },
    gates: { full: [{ name: "test", cmd: "npm test" }] },
    autopilot: { enabled: true },
    ...change,
  });

const run = (cost_usd?: number): RunNote => ({
  ...{ id: "x", place: { installation: 1, repository: "octo/example" }, command: "run" },
  ...{ item: "issue-1", state: "done", started_at: 0, changed_at: 0 },
  ...(cost_usd !== undefined && { cost_usd }),
});

type Row = [string, Trigger, Parameters<typeof judgeStart>[1], string, RegExp?];
const none = { startedToday: [], openPulls: 0, isPaused: false, isRejected: false };
const rows: Row[] = [
  ["nothing in the way", "label", { config: config(), ...none }, "start"],
  [
    "the autopilot switched off and a label",
    "label",
    { config: config({ autopilot: { enabled: false } }), ...none },
    "refused",
    /`autopilot\.enabled` is false/,
  ],
  [
    "the autopilot switched off and an explicit command",
    "start-command",
    { config: config({ autopilot: { enabled: false } }), ...none },
    "start",
  ],
  [
    "as many runs today as there may be",
    "label",
    {
      config: config({ limits: { runs_per_day: 2 } }),
      startedToday: [run(), run()],
      openPulls: 0,
      isPaused: false,
      isRejected: false,
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
      startedToday: [run(3), run(2), run()],
      openPulls: 0,
      isPaused: false,
      isRejected: false,
    },
    "waiting",
    /\$5\.00 were spent today/,
  ],
  [
    "a pull request of ours open",
    "report-push",
    { config: config(), startedToday: [], openPulls: 1, isPaused: false, isRejected: false },
    "waiting",
    /1 pull request of ralph's is open/,
  ],
  [
    "the repository paused, and an explicit command",
    "start-command",
    { config: config(), ...none, isPaused: true },
    "waiting",
    /has paused ralph/,
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
    "room for two pull requests",
    "report-push",
    {
      config: config({ limits: { open_prs: 2 } }),
      startedToday: [],
      openPulls: 1,
      isPaused: false,
      isRejected: false,
    },
    "start",
  ],
];

test.each(rows)("%s", (_, trigger, facts, kind, words) => {
  const verdict = judgeStart({ trigger }, facts);
  expect(verdict.kind).toBe(kind);
  if (words) expect("words" in verdict && verdict.words).toMatch(words);
});
