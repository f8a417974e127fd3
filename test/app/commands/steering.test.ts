import { expect, test } from "vitest";
import { saveRepository } from "../../../app/repositories/repository-note.ts";
import { queueSteering } from "../../../app/runs/queued-steering.ts";
import {
  answers,
  failed,
  say,
  sent,
  startCommented,
  untold,
  workflow,
} from "../../support/app/commented-app.ts";
import { place, type RunningTestApp, settled } from "../../support/app/running-app.ts";
import { dispatchedRun, keep, reportsRequest } from "../../support/app/runs.ts";

const timeout = 60_000;
const clock = { now: () => 1, sleep: async () => undefined };

const kept = ({ store: { notes } }: RunningTestApp, comment: number, verb: "skip" | "hint") =>
  queueSteering(
    { notes, clock: { ...clock, monotonic: clock.now } as never },
    { place, thread: 12, run: undefined, comment: { comment, verb } },
  );

test.each([
  ["nothing was started", undefined],
  ["a waiting run will start over", dispatchedRun({ state: "waiting", waits_for: "claim" })],
  ["a pull request was merged", dispatchedRun({ ...failed, outcome: "merged" })],
  ["a session is gone", dispatchedRun({ ...failed, workflow: { ...workflow, run: 32 } })],
])(
  "a task cannot be skipped without a task list, where %s",
  async (_, run) => {
    const app = await startCommented();
    await settled(app.store);
    // A comment does not cause a recheck of a known repository, so the waiting run keeps waiting.
    await saveRepository({ ...app.store, clock }, { place, isPaused: false });
    if (run) await keep(app.store, run);
    await say(app, "/ralph skip T-003");
    expect(answers(app)).toEqual([expect.stringContaining("no task list here")]);
    expect(await untold(app)).toEqual([]);
  },
  timeout,
);

test(
  "a task of a resumable session or of a plan can be skipped",
  async () => {
    const pull = { number: 40, url: "u" };
    const plan = dispatchedRun({ request: reportsRequest({ issue: 12 }), workflow, pull });
    for (const run of [dispatchedRun(failed), plan]) {
      const app = await startCommented({ runs: [run] });
      const comment = await say(app, "/ralph skip T-003");
      expect(answers(app)).toEqual([
        expect.stringContaining("takes effect when the task list continues"),
      ]);
      expect(await untold(app)).toEqual([[{ comment, verb: "skip" }]]);
    }
  },
  timeout,
);

test(
  "comments about tasks apply to their own list only, comments about the work to the next one too",
  async () => {
    const app = await startCommented({ runs: [dispatchedRun(failed)] });
    const skip = await say(app, "/ralph skip T-003");
    const hint = await say(app, "/ralph hint Use the new parser.");
    expect(skip).toBeLessThan(hint);
    await say(app, "/ralph run");
    expect(sent(app)).toMatchObject([{ orders: String(hint) }]);
    expect(sent(app)[0]).not.toHaveProperty("resume-from");
    expect(await untold(app)).toEqual([]);
  },
  timeout,
);

test(
  "comments apply in the order they were written, whichever job runs first",
  async () => {
    const app = await startCommented();
    await kept(app, 9, "hint");
    await kept(app, 8, "hint");
    await say(app, "/ralph run");
    expect(sent(app)).toMatchObject([{ orders: "8,9" }]);
  },
  timeout,
);
