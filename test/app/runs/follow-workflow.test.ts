import { expect, test } from "vitest";
import type { DispatchedRun } from "../../../app/runs/dispatched-run.ts";
import { mayFollow } from "../../../app/runs/follow-workflow.ts";
import { dispatchedRun } from "../../support/app/runs.ts";

const run = (change: Partial<DispatchedRun> = {}): DispatchedRun => ({
  ...dispatchedRun({ state: "started", started_at: 0, changed_at: 0 }),
  ...change,
});
const workflow = { run: 50, attempt: 2, url: "" };

type Row = [string, DispatchedRun, [id: number, attempt: number], ReturnType<typeof mayFollow>];
const rows: Row[] = [
  ["the first one of a run", run(), [50, 1], "yes"],
  ["the one that is followed", run({ workflow }), [50, 2], "yes"],
  ["an attempt that is over", run({ workflow }), [50, 1], "no"],
  ["the one that is being published", run({ workflow, state: "publishing" }), [50, 2], "no"],
  ["the one that was published", run({ workflow, state: "done" }), [50, 2], "no"],
  ["a further attempt of it", run({ workflow, state: "done" }), [50, 3], "yes"],
  ["a second one of the same start", run({ workflow }), [51, 1], "by-claim"],
  ["a second one after the end", run({ workflow, state: "done" }), [51, 1], "by-claim"],
  ["any of a run that was refused", run({ state: "refused" }), [50, 1], "by-claim"],
  ["one a session was continued from", run({ after: 50 }), [50, 3], "no"],
  ["one from before", run({ after: 50 }), [49, 1], "no"],
  ["the one that goes on", run({ after: 50 }), [60, 1], "yes"],
];
test.each(rows)("%s", (_, note, [id, run_attempt], verdict) => {
  expect(mayFollow(note, { id, run_attempt })).toBe(verdict);
});
