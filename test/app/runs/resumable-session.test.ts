import { expect, test } from "vitest";
import { jobId } from "../../../app/jobs/new-job.ts";
import { spentToday } from "../../../app/runs/day-totals.ts";
import { thorough } from "../../setup/sampled.ts";
import {
  answers,
  failed,
  runsOf,
  say,
  sent,
  startCommented,
  thread,
  untold,
  workflow,
} from "../../support/app/commented-app.ts";
import { dispatchedRun, keep } from "../../support/app/runs.ts";

const timeout = 60_000;
const pull = { number: 40, url: "u" };
const hourMs = 3_600_000;

thorough(
  "a retry that GitHub refused to start can be retried, with its session and its steering comments",
  async () => {
    let isRefused = true;
    const more = (asked: string) =>
      isRefused && asked.endsWith("/dispatches") ? { status: 403, body: {} } : undefined;
    const app = await startCommented({ runs: [dispatchedRun(failed)], more });
    const first = await say(app, "/ralph retry T-003");
    expect(answers(app)).toEqual([expect.stringContaining("Not started")]);
    isRefused = false;
    const second = await say(app, "/ralph retry T-003");
    expect(sent(app)).toMatchObject([{ "resume-from": "31", orders: `${first},${second}` }]);
    expect(await untold(app)).toEqual([]);
  },
  timeout,
);

thorough(
  "neither a cancelled waiting retry nor a refused label hides a session",
  async () => {
    const waited = { after: 31, words: "Removed from the waiting list." };
    const refused = { state: "refused" as const, started_at: Date.now() };
    for (const change of [waited, {}]) {
      const runs = [dispatchedRun(failed), dispatchedRun({ ...refused, ...change })];
      const app = await startCommented({ runs });
      await say(app, "/ralph retry");
      expect(sent(app)).toMatchObject([{ "resume-from": "31" }]);
    }
  },
  timeout,
);

test.each([{}, { outcome: "merged" as const }])(
  "a complete session is not retried: %o",
  async (outcome) => {
    const passed = dispatchedRun({ ...failed, tasks: { passed: 3, total: 3 }, pull, ...outcome });
    const app = await startCommented({ runs: [passed] });
    await say(app, "/ralph retry");
    expect(answers(app)).toEqual([expect.stringContaining("nothing to retry")]);
    expect(sent(app)).toEqual([]);
    await say(app, "/ralph run");
    expect(sent(app)).toHaveLength(1);
  },
  timeout,
);

test(
  "the cost of a session counts once, also when a part of it has no figures",
  async () => {
    const now = Date.now();
    const first = dispatchedRun({ ...failed, cost_usd: 3, started_at: now - 2 });
    const cut = dispatchedRun({
      ...{ workflow, after: 30, started_at: now - 1 },
      day: { began_at: now - 1, cost_usd: 3 },
    });
    const app = await startCommented({ runs: [first, cut] });
    await say(app, "/ralph retry");
    const [newest, ...others] = await runsOf(app);
    expect(newest).toMatchObject({ after: 31, day: { cost_usd: 3 } });
    const ended = newest ? [{ ...newest, cost_usd: 5 }] : [];
    expect(spentToday([...ended, ...others], Date.now())).toBe(5);
  },
  timeout,
);

test(
  "a retry job that runs again after a kill queues its comment once",
  async () => {
    const old = dispatchedRun({ ...failed, started_at: Date.now() - 9 * hourMs });
    const app = await startCommented({ runs: [old] });
    const orders = [{ comment: 70, verb: "retry" as const }];
    const id = jobId("comment", 7, 70);
    await keep(app.store, dispatchedRun({ id, state: "started", after: 31, orders }));
    await app.store.notes.put({
      ...{ kind: "orders", id: "7#12", repository: "7", at: 1 },
      data: [...orders, { comment: 71, verb: "hint" }],
    });
    await say(app, "/ralph retry T-001", { id: 70, issue: thread });
    expect(sent(app)).toEqual([]);
    expect(await untold(app)).toEqual([[{ comment: 71, verb: "hint" }]]);
  },
  timeout,
);
