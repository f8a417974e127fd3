import { expect, test } from "vitest";
import { renderPullMarker } from "../../../src/views/pull-request/pull-marker.ts";
import { self } from "../../support/app/github.ts";
import {
  ada,
  eventually,
  place,
  type RunningTestApp,
  settled,
  startTestApp,
} from "../../support/app/running-app.ts";
import { dispatchedRun, keep, readRun, workRequest } from "../../support/app/runs.ts";
import type { FakePull } from "../../support/github/fake-state.ts";

const marker = renderPullMarker({ run: "20260125-143052-a7b3c9", item: "f00d" });

const pullOf = (change: Partial<FakePull> = {}): FakePull => ({
  ...{ number: 1, node_id: "PR_1", html_url: "https://github.com/octo/example/pull/1" },
  ...{ state: "open", draft: false, title: "Ralph: it", body: `It.\n\n${marker}\n`, user: self },
  head: { ref: "ralph/it", sha: "c".repeat(40), repo: { full_name: "octo/example" } },
  base: { ref: "main", sha: "b".repeat(40), repo: { full_name: "octo/example" } },
  ...{ created_at: "2026-01-25T14:40:00Z", merged_at: null },
  ...change,
});

const pull = { number: 1, url: "https://github.com/octo/example/pull/1" };
const waiting = (issue: number, change: object = {}) =>
  dispatchedRun({
    ...{ state: "waiting", waits_for: "room" },
    request: workRequest({ item: `issue-${issue}`, issue, actor: ada }),
    ...change,
  });

const closing = (merged: boolean) => ({
  action: "closed",
  pull_request: { number: 1, merged, user: self, updated_at: "2026-01-26T10:00:00Z" },
});

const commentsOn = ({ github }: RunningTestApp, issue: number) =>
  github.fake.state.comments.filter((comment) => comment.issue === issue).map(({ body }) => body);

test("a merged pull request makes room for the run that has waited longest", async () => {
  const done = dispatchedRun({ pull });
  const first = waiting(20, { started_at: Date.now() - 9_000_000 });
  const second = waiting(21);
  const app = await startTestApp({
    prepare: async ({ github, store }) => {
      github.fake.state.pulls.push(pullOf());
      for (const run of [done, second, first]) await keep(store, run);
    },
  });
  const merged = pullOf({ state: "closed", merged_at: "2026-01-26T10:00:00Z" });
  app.github.fake.state.pulls.splice(0, 1, merged);
  await app.send("pull_request", closing(true));
  await eventually(() => expect(app.github.dispatches).toHaveLength(1));
  await settled(app.store);
  expect(app.github.dispatches[0]?.inputs).toMatchObject({
    "run-id": first.id,
    "issue-number": "20",
  });
  expect(await readRun(app.store, done)).toMatchObject({ outcome: "merged", state: "done" });
  expect(await readRun(app.store, first)).toMatchObject({ state: "started" });
  expect((await readRun(app.store, first)).waits_for).toBeUndefined();
  // The first run will open a pull request, and only one may be open.
  expect(await readRun(app.store, second)).toMatchObject({ state: "waiting" });
  expect(commentsOn(app, 12)).toEqual([expect.stringContaining("Pull request #1 was merged.")]);
});

test("a pull request that is closed without a merge rejects its issue until a command", async () => {
  const done = dispatchedRun({ pull });
  const app = await startTestApp({
    prepare: async ({ github, store }) => {
      github.fake.state.pulls.push(pullOf({ state: "closed" }));
      await keep(store, done);
    },
  });
  await app.send("pull_request", closing(false));
  await eventually(async () =>
    expect(await readRun(app.store, done)).toMatchObject({ outcome: "rejected" }),
  );
  const issue = { number: 12, state: "open", updated_at: "2026-01-27T10:00:00Z", user: ada };
  await app.send("issues", { action: "labeled", issue, label: { name: "ralph" } });
  await settled(app.store);
  await eventually(() =>
    expect(commentsOn(app, 12)).toEqual([
      expect.stringContaining("**Closed without a merge**"),
      expect.stringContaining("closed without a merge, so labels"),
    ]),
  );
  expect(app.github.dispatches).toEqual([]);
  const comment = { id: 77, body: "/ralph run", user: ada };
  await app.send("issue_comment", { action: "created", issue, comment });
  await eventually(() => expect(app.github.dispatches).toHaveLength(1));
});

test("a reopened pull request, and one without the marker, change nothing", async () => {
  const done = dispatchedRun({ pull });
  const app = await startTestApp({
    prepare: async ({ github, store }) => {
      github.fake.state.pulls.push(
        pullOf(),
        pullOf({ number: 2, state: "closed", body: "Set up" }),
      );
      await keep(store, done);
      await keep(store, waiting(20));
    },
  });
  await app.send("pull_request", closing(true));
  const other = { ...closing(false).pull_request, number: 2 };
  await app.send("pull_request", { action: "closed", pull_request: other });
  await settled(app.store);
  expect(await readRun(app.store, done)).toEqual(done);
  expect(app.github.dispatches).toEqual([]);
});

test("a run that waits because of a pause starts after `/ralph resume`", async () => {
  const run = waiting(20);
  const app = await startTestApp({
    prepare: async ({ store }) => {
      await keep(store, run);
      const data = { place, isPaused: true };
      const id = String(place.id);
      await store.notes.put({ kind: "repository", id, repository: id, at: 1, data });
    },
  });
  const issue = { number: 12, state: "open", updated_at: "2026-01-27T10:00:00Z", user: ada };
  const say = (id: number, body: string) =>
    app.send("issue_comment", { action: "created", issue, comment: { id, body, user: ada } });
  await settled(app.store);
  expect(app.github.dispatches).toEqual([]);
  await say(78, "/ralph resume");
  await eventually(() => expect(app.github.dispatches).toHaveLength(1));
  expect(app.github.dispatches[0]?.inputs["run-id"]).toBe(run.id);
});

const pushed = {
  action: "synchronize",
  after: "d".repeat(40),
  pull_request: { number: 1, user: self },
};

test("a person's push to a ralph pull request stops ralph, with one comment", async () => {
  const working = dispatchedRun({
    state: "working",
    pull,
    workflow: { run: 31, attempt: 1, url: "u" },
  });
  const app = await startTestApp({
    prepare: async ({ github, store }) => {
      github.fake.state.pulls.push(pullOf());
      await keep(store, working);
    },
  });
  await app.send("pull_request", pushed);
  await app.send("pull_request", { ...pushed, after: "e".repeat(40) });
  await eventually(async () =>
    expect(await readRun(app.store, working)).toMatchObject({ outcome: "taken-over" }),
  );
  await settled(app.store);
  expect(app.github.cancelled).toEqual([31]);
  expect(commentsOn(app, 1)).toEqual([expect.stringContaining("no longer pushes to it")]);
});

test("the App's own push to its pull request stops nothing", async () => {
  const app = await startTestApp({
    prepare: ({ github }) => void github.fake.state.pulls.push(pullOf()),
  });
  await app.send("pull_request", { ...pushed, sender: self });
  await settled(app.store);
  expect(app.github.fake.state.comments).toEqual([]);
});
