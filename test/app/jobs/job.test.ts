import { expect, test } from "vitest";
import { PermanentJobError, parseJob } from "../../../app/jobs/job.ts";
import { ada, place } from "../../support/app/running-app.ts";

const asker = { sender: ada, commentId: 44 };
const textDigest = "0".repeat(64);
const run = { command: "run", item: "issue-12", issue: 12 };
const autopilot = { command: "autopilot", item: "reports", issue: 12 };
const byLabel = { trigger: "label", overridesRejection: false, actor: ada };

/** Jobs of the version before requests had one shape, as a queue on disk still holds them. */
const stored: [string, object, object][] = [
  [
    "start",
    { ...run, label: "ralph", text: textDigest, asker: { sender: ada } },
    { label: "ralph", request: { ...run, textDigest, ...byLabel } },
  ],
  [
    "start",
    { ...autopilot, label: "ralph:autopilot", among: true, asker: { sender: ada } },
    {
      label: "ralph:autopilot",
      request: { ...autopilot, ...byLabel, alternativeIssue: 12, trigger: "autopilot-label" },
    },
  ],
  [
    "start",
    { ...run, asker },
    { request: { ...run, ...byLabel, trigger: "start-command", overridesRejection: true } },
  ],
  [
    "report",
    { paths: ["reports/a.md"], commit: "a", asker: { sender: ada } },
    {
      request: { command: "autopilot", item: "reports", ...byLabel, trigger: "report-push" },
    },
  ],
  [
    "steer",
    { command: { verb: "retry" }, issue: 12, isPull: false, text: textDigest, asker },
    {
      ...{ command: { verb: "retry" }, issue: 12, isPull: false },
      ...{ textDigest, actor: ada, comment: 44 },
    },
  ],
  [
    "explain",
    { issue: 1, problem: "p", asker },
    { issue: 1, problem: "p", actor: ada, comment: 44 },
  ],
  ["workflow", { action: "completed", run: 31, attempt: 2 }, { run: 31 }],
  ["pull-closed", { pull: 9, merged: true }, { pull: 9 }],
  ["human-push", { pull: 9, commit: "b", asker: { sender: undefined } }, { pull: 9 }],
  ["dashboard", { issue: 5, boxes: ["pause"], asker: {} }, { issue: 5, boxes: ["pause"] }],
  ["welcome", { repository: "octo/example" }, {}],
  ["recheck", {}, {}],
];

test.each(stored)("a job %s of the previous version is read: %j", (kind, wanted, data) => {
  const read = parseJob({ kind, data: { place, wanted: { kind, ...wanted } } });
  expect(read).toEqual({ kind, data: { place, ...data } });
});

const workflow = { run: 31, attempt: 2 };
const unchanged: [string, object][] = [
  ["delivery", { event: "push", payload: { wanted: { kind: "push" } } }],
  ["answer", { place, issue: 1, comment: 2, body: "b" }],
  ["publish", { place, runId: "r", workflow }],
  ["continue", { place, runId: "r", workflow }],
  ["show", { place, cleared: ["pause"] }],
  ["schedule", { place, slot: 7, kind: "due" }],
  ...["pace", "offer", "wake", "recheck"].map((kind): [string, object] => [kind, { place }]),
  ...["tick", "sweep", "redeliver"].map((kind): [string, object] => [kind, {}]),
];

test.each(unchanged)("a job %s has the same shape as in the previous version: %j", (kind, data) => {
  expect(parseJob({ kind, data })).toEqual({ kind, data });
});

test.each<[string, string, unknown, RegExp]>([
  [
    "of an unknown kind",
    "weke",
    { place },
    /"weke", stored by another version of the App, cannot be read/,
  ],
  ["without its repository", "wake", {}, /place/],
  ["whose data is broken", "start", { place, wanted: { kind: "start", item: 7 } }, /item/],
  [
    "without data",
    "publish",
    null,
    /"publish", stored by another version of the App, cannot be read/,
  ],
])("a job %s fails permanently with the reason", (_, kind, data, words) => {
  expect(() => parseJob({ kind, data })).toThrow(PermanentJobError);
  expect(() => parseJob({ kind, data })).toThrow(words);
});
