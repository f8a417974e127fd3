import { expect, test } from "vitest";
import type { PublishTask } from "../../../app/jobs/job.ts";
import { jobId, recheckJob } from "../../../app/jobs/new-job.ts";
import type { DispatchedRun } from "../../../app/runs/dispatched-run.ts";
import { claimRef, parseClaim, renderClaim } from "../../../src/github/claims/claim-note.ts";
import {
  ada,
  appConfig,
  eventually,
  place,
  type RunningTestApp,
  settled,
  startTestApp,
} from "../../support/app/running-app.ts";
import { dispatchedRun, keep, readRun } from "../../support/app/runs.ts";

const hourMs = 3_600_000;
const item = "issue-12";
const workflow = { run: 50, attempt: 1, url: "https://github.com/octo/example/actions/runs/50" };
const known = (change: object = {}) => {
  const repository = String(place.id);
  const data = { place, isPaused: false, ...change };
  return { kind: "repository" as const, id: repository, repository, at: 1, data };
};
/** A run that ran out of time and whose result is being published. */
const over = (change: Partial<DispatchedRun> = {}): DispatchedRun =>
  dispatchedRun({ state: "publishing", workflow, words: "Pull request #1 is a draft.", ...change });

const continueJob = ({ id }: DispatchedRun, occasion: string) => {
  const data: PublishTask = { place, runId: id, workflow };
  const group = `work:${place.id}`;
  return { id: jobId("continue", id, occasion), kind: "continue", group, data };
};

type Given = { run: DispatchedRun; config?: string; paused?: boolean; aheadMs?: () => number };

/** The App with a session to continue; its workflow still has the item. */
async function startWith({ run, config, paused = false, aheadMs }: Given) {
  const app = await startTestApp({
    ...(aheadMs && { aheadMs }),
    prepare: async ({ github, store }) => {
      if (config) github.files.set(".ralph/ralph.yml", `${appConfig}${config}\n`);
      const { git } = github.fake.state;
      const until = new Date(Date.now() + hourMs).toISOString();
      const note = { item, holder: "50", url: "u", expires_at: until, state: "held" } as const;
      git.trees.t = true;
      git.commits["c".repeat(40)] = { message: renderClaim(note), tree: "t", parents: [] };
      git.refs[claimRef(item)] = "c".repeat(40);
      await store.notes.put(known({ isPaused: paused }));
      await keep(store, run);
    },
  });
  await app.store.queue.add([continueJob(run, "first")]);
  return app;
}

const becomes = ({ store }: RunningTestApp, run: DispatchedRun, expected: object) =>
  eventually(async () => expect(await readRun(store, run)).toMatchObject(expected));

function claimOf({ github }: RunningTestApp) {
  const { refs, commits } = github.fake.state.git;
  return parseClaim(commits[refs[claimRef(item)] ?? ""]?.message ?? "", item);
}

const comments = ({ github }: RunningTestApp) => github.fake.state.comments.map(({ body }) => body);

test("a session waits while its repository is paused, and continues once after `/ralph resume`", async () => {
  const run = over();
  const app = await startWith({ run, paused: true });
  await becomes(app, run, { state: "waiting", waits_for: "room", goes_on: true, after: 50 });
  await settled(app.store);
  expect(app.github.dispatches).toEqual([]);
  expect(comments(app)).toEqual([expect.stringMatching(/Waiting.*ralph is paused/s)]);
  expect(claimOf(app)).toMatchObject({ holder: run.id, state: "held" });
  expect(Date.parse(claimOf(app)?.expires_at ?? "")).toBeGreaterThan(Date.now() + 20 * hourMs);
  // After a recheck it keeps waiting, and writes nothing.
  const before = app.github.fake.seen.length;
  await app.store.queue.add([recheckJob(place, "again"), continueJob(run, "again")]);
  await settled(app.store);
  const written = app.github.fake.seen.slice(before).filter(({ method }) => method !== "GET");
  expect(written.filter(({ path }) => path.includes("/git/"))).toEqual([]);
  const issue = { number: 12, state: "open", updated_at: "2026-01-27T10:00:00Z", user: ada };
  const comment = { id: 44, body: "/ralph resume", user: ada };
  await app.send("issue_comment", { action: "created", issue, comment });
  await becomes(app, run, { state: "started", after: 50 });
  await settled(app.store);
  expect(app.github.dispatches.map(({ inputs }) => inputs)).toMatchObject([
    { "resume-from": "50", "run-id": run.id, claim: expect.stringMatching(/^issue-12:/) },
  ]);
  const note = await readRun(app.store, run);
  expect([note.goes_on, note.waits_for, note.words]).toEqual([undefined, undefined, undefined]);
});

test("a session waits until the next day when the day's budget is spent, including its own cost", async () => {
  let aheadMs = 0;
  const now = Date.now();
  const run = over({ cost_usd: 3, started_at: now, changed_at: now });
  const config = "limits: { budget_usd_per_day: 2.5 }";
  const app = await startWith({ run, config, aheadMs: () => aheadMs });
  await becomes(app, run, { state: "waiting", words: expect.stringContaining("$3.00 was spent") });
  await settled(app.store);
  expect(app.github.dispatches).toEqual([]);
  aheadMs = 24 * hourMs;
  await app.store.queue.add([recheckJob(place, "tomorrow")]);
  await becomes(app, run, { state: "started", day: { cost_usd: 3 } });
  expect(app.github.dispatches).toHaveLength(1);
});

test("a session whose item another run has had meanwhile ends", async () => {
  const run = over();
  const app = await startWith({ run });
  await settled(app.store);
  expect(app.github.dispatches).toHaveLength(1);
  const late = over({ state: "waiting", waits_for: "room", goes_on: true, after: 50 });
  await keep(app.store, late);
  await app.store.queue.add([continueJob(late, "late")]);
  await becomes(app, late, { state: "done" });
  expect(app.github.dispatches).toHaveLength(1);
});

test("a held session can be cancelled, and its item is released", async () => {
  const run = over();
  const app = await startWith({ run, paused: true });
  await becomes(app, run, { state: "waiting" });
  const issue = { number: 12, state: "open", updated_at: "2026-01-27T10:00:00Z", user: ada };
  const comment = { id: 45, body: "/ralph cancel", user: ada };
  await app.send("issue_comment", { action: "created", issue, comment });
  await becomes(app, run, {
    state: "done",
    words: "Stopped while it waited to continue.",
  });
  await settled(app.store);
  expect(claimOf(app)).toMatchObject({ state: "released" });
  await app.store.queue.add([continueJob(run, "late")]);
  await settled(app.store);
  expect(await readRun(app.store, run)).toMatchObject({ state: "done" });
});
