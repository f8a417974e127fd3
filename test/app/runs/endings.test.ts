import { expect, test } from "vitest";
import { viewDashboard } from "../../../app/dashboard/dashboard-view.ts";
import { renderDashboard } from "../../../app/dashboard/render-dashboard.ts";
import { type EventFields, renderNotification } from "../../../app/events/recorder.ts";
import { countEvents, createCounters } from "../../../app/metrics/counters.ts";
import { renderRunStatus } from "../../../app/pages/run-labels.ts";
import type { DispatchedRun } from "../../../app/runs/dispatched-run.ts";
import { recordRun } from "../../../app/runs/end-run.ts";
import { type EndingKind, endingKinds } from "../../../app/runs/ending.ts";
import { renderRunProgress } from "../../../app/runs/progress-comment.ts";
import { statusOf, storedStatuses } from "../../../app/runs/run-status.ts";
import { openSqliteStore } from "../../../app/store/sqlite-store.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import { markupOf } from "../../../src/views/html/html.ts";
import { dispatchedRun, keep } from "../../support/app/runs.ts";
import { createTestFolder } from "../../support/project/system.ts";

const workflow = { run: 31, attempt: 1, url: "https://github.com/octo/example/actions/runs/31" };
const pull = { number: 40, url: "u" };
const whole = { passed: 3, total: 3 };
const ended = (kind: EndingKind, more: object = {}): Partial<DispatchedRun> => ({
  ...{ state: "done", workflow, ending: { kind, ...more } },
});

/** A run for each ending, what every view says of it, and its tone. */
const rows: Record<EndingKind, [Partial<DispatchedRun>, string, string]> = {
  merged: [{ ...ended("open"), pull, tasks: whole, outcome: "merged" }, "Merged", "ok"],
  open: [{ ...ended("open"), pull, tasks: whole }, "Ready for review", "ok"],
  closed: [{ ...ended("open"), pull, outcome: "rejected" }, "Closed without a merge", "bad"],
  "nothing-to-do": [ended("nothing-to-do"), "Nothing to do", "quiet"],
  "partly-done": [
    { ...ended("partly-done"), pull, tasks: { passed: 1, total: 3 } },
    "Partly done",
    "warn",
  ],
  failed: [ended("failed", { in: "ralph / Work" }), "Failed in ralph / Work", "bad"],
  cancelled: [ended("cancelled", { by: "ada" }), "Cancelled by ada", "warn"],
  "timed-out": [ended("timed-out"), "Timed out", "warn"],
  "budget-used": [ended("budget-used"), "Budget used up", "warn"],
  waiting: [{ state: "waiting", waits_for: "room" }, "Waiting", "warn"],
  refused: [{ state: "refused", ending: { kind: "refused" } }, "Not started", "bad"],
  lost: [ended("lost"), "Lost", "bad"],
  "taken-over": [
    { ...ended("open"), pull, outcome: "taken-over" },
    "Taken over by a person",
    "warn",
  ],
};

const table = endingKinds.map((kind) => [kind, ...rows[kind]] as const);
const plain = (text: string) => text.replaceAll(/\\|<[^>]*>/g, "");

/** The event as the log, the metrics and a notification get it. */
function recorded(run: DispatchedRun) {
  const found: EventFields[] = [];
  recordRun({ record: (_, fields) => found.push(fields) }, "run-ended", run);
  const counters = createCounters();
  const fields = found[0] ?? {};
  countEvents(counters)("run-ended", fields);
  const counted = counters.list().find(({ name }) => name === "ralph_runs_ended_total");
  return { fields, ending: counted?.labels.ending, text: renderNotification("run-ended", fields) };
}

test.each(table)("every view says the same of a run that is %s", (kind, change, headline, tone) => {
  const run = dispatchedRun(change);
  expect(statusOf(run)).toMatchObject({ kind, headline, tone });
  expect(plain(renderRunProgress(run))).toContain(`**${headline}**`);
  const page = markupOf(renderRunStatus(run));
  expect(page).toContain(`class="state ${tone}"`);
  expect(plain(page)).toContain(headline);
  const { fields, ending, text } = recorded(run);
  expect(fields).toMatchObject({ status: kind, headline });
  expect(ending).toBe(kind);
  expect(text).toContain(headline);
});

test.each(table.filter(([kind]) => kind !== "waiting"))(
  "the dashboard says so of a run that is %s",
  (_, change, headline) => {
    const now = Date.now();
    const run = dispatchedRun({ ...change, changed_at: now });
    const view = viewDashboard({ runs: [run], isPaused: false, config: { kind: "missing" }, now });
    expect(plain(renderDashboard(view, new Set()))).toContain(headline);
  },
);

test("each ending is a filter of its own", async () => {
  await using folder = await createTestFolder();
  await using store = openSqliteStore(createSystem(), `${folder.path}/ralph.sqlite`);
  const runs = table.map(([kind, change]) => [kind, dispatchedRun(change)] as const);
  for (const [, run] of runs) await keep(store, run);
  for (const [kind, run] of runs) {
    const found = await store.notes.list({
      kind: "run",
      statuses: storedStatuses[kind],
      limit: 99,
    });
    expect(found.map(({ id }) => id)).toEqual([run.id]);
  }
});

test("only a merge and a complete pull request are green", () => {
  const green = table.filter(([, , , tone]) => tone === "ok").map(([kind]) => kind);
  expect(green).toEqual(["merged", "open"]);
});
