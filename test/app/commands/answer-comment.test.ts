import { expect, test } from "vitest";
import { recheckJob } from "../../../app/jobs/new-job.ts";
import { thorough } from "../../setup/sampled.ts";
import {
  answers,
  runsOf,
  say,
  sent,
  startCommented,
  thread,
  write,
} from "../../support/app/commented-app.ts";
import { ada, eventually, place, settled } from "../../support/app/running-app.ts";
import { dispatchedRun, reportsRequest, workRequest } from "../../support/app/runs.ts";

const timeout = 60_000;
const request = workRequest({ trigger: "start-command", overridesRejection: true, actor: ada });

test.each([403, 404, 410])(
  "an issue that rejects comments (%i) blocks neither its run nor later jobs",
  async (status) => {
    const first = dispatchedRun({ state: "waiting", waits_for: "room", request, started_at: 1 });
    const more = (asked: string) =>
      asked.includes("/issues/12/comments") ? { status, body: { message: "gone" } } : undefined;
    const app = await startCommented({ runs: [first], more });
    await app.store.queue.add([recheckJob(place, "x")]);
    await settled(app.store);
    expect(sent(app)).toHaveLength(1);
    expect(await runsOf(app)).toMatchObject([{ state: "started" }]);
    await say(app, "/ralph hint Use the new parser.");
    expect(answers(app)).toEqual([]);
  },
  timeout,
);

thorough(
  "while GitHub rejects answers the last command still counts, and each comment is answered later",
  async () => {
    let isDown = true;
    const more = (asked: string) =>
      isDown && asked.endsWith("/reactions") ? { status: 502, body: {} } : undefined;
    const app = await startCommented({ more });
    const pause = await write(app, "/ralph pause");
    await eventually(async () => expect(await paused(app)).toBe(true));
    const resume = await write(app, "/ralph resume");
    await eventually(async () => expect(await paused(app)).toBe(false));
    isDown = false;
    await settled(app.store);
    expect(await paused(app)).toBe(false);
    const comments = app.github.fake.state.reactions.map(({ comment }) => comment);
    expect(comments).toEqual(expect.arrayContaining([pause, resume]));
    expect(answers(app)).toEqual([]);
  },
  timeout,
);

test(
  "a pause that arrives after a resume that was written later has no effect",
  async () => {
    const app = await startCommented();
    await say(app, "/ralph resume", { id: 72 });
    await say(app, "/ralph pause", { id: 71 });
    expect(await paused(app)).toBe(false);
    expect(answers(app).at(-1)).toContain("a later comment said `/ralph resume`");
    await say(app, "/ralph run");
    expect(sent(app)).toHaveLength(1);
  },
  timeout,
);

test(
  "an autopilot that was requested in a pull request answers `status` and `cancel` there",
  async () => {
    const app = await startCommented();
    const issue = { ...thread, number: 41, pull_request: {} };
    await say(app, "/ralph autopilot", { issue });
    await say(app, "/ralph status", { issue });
    await say(app, "/ralph run", { issue });
    await say(app, "/ralph cancel", { issue });
    expect(sent(app)).toHaveLength(1);
    expect(answers(app).slice(1)).toEqual([
      expect.stringContaining("**Started"),
      expect.stringContaining("does not belong to ralph"),
    ]);
    expect(answers(app)[0]).toContain("Being cancelled, as ada asked");
  },
  timeout,
);

test(
  "a command in an autopilot's own pull request does not affect the pull request of its request",
  async () => {
    const pull = { number: 45, url: "u" };
    const run = dispatchedRun({ request: reportsRequest({ issue: 41 }), pull });
    const app = await startCommented({ runs: [run] });
    await say(app, "/ralph run", { issue: { ...thread, number: 45, pull_request: {} } });
    expect(sent(app)).toMatchObject([{ command: "autopilot" }]);
    expect(sent(app)[0]).not.toHaveProperty("issue-number");
  },
  timeout,
);

/** Whether the repository is paused. */
async function paused({ store }: Awaited<ReturnType<typeof startCommented>>) {
  const note = await store.notes.get("repository", String(place.id));
  return (note?.data as { isPaused?: boolean } | undefined)?.isPaused;
}
