import { expect, test } from "vitest";
import { recheckJob } from "../../../app/jobs/new-job.ts";
import type { DispatchedRun } from "../../../app/runs/dispatched-run.ts";
import { claimRef } from "../../../src/github/claims/claim-note.ts";
import { sampled } from "../../setup/sampled.ts";
import {
  ada,
  eventually,
  place,
  type RunningTestApp,
  settled,
  startTestApp,
} from "../../support/app/running-app.ts";
import { keep } from "../../support/app/runs.ts";

const issue = { number: 12, state: "open", updated_at: "2026-01-27T10:00:00Z", user: ada };
const labeled = { action: "labeled", issue, label: { name: "ralph" } };

const comments = ({ github }: RunningTestApp) => github.fake.state.comments.map(({ body }) => body);

function claimOf({ github }: RunningTestApp, item: string): string {
  const { refs, commits } = github.fake.state.git;
  return commits[refs[claimRef(item)] ?? ""]?.message ?? "";
}

test.each(
  sampled(
    [
      [404, "the default branch has no `.github/workflows/ralph.yml`"],
      [422, "does not accept the App's inputs"],
      [403, "the permission Actions: write"],
    ],
    1,
  ),
)(
  "a refused workflow start (%i) is commented, and the issue is released",
  async (status, words) => {
    const app = await startTestApp();
    app.github.more = (asked) =>
      asked.endsWith("/dispatches") ? { status, body: { message: "Refused" } } : undefined;
    await app.send("issues", labeled);
    await eventually(() => expect(comments(app)).toEqual([expect.stringContaining(words)]));
    await settled(app.store);
    expect(claimOf(app, "issue-12")).toContain('"state":"released"');
  },
);

const pushed = {
  ref: "refs/heads/main",
  after: "a".repeat(40),
  commits: [{ added: ["reports/today.md"], modified: [] }],
};

test("a report that is pushed during another run waits for it, and starts by itself", async () => {
  const app = await startTestApp({
    prepare: ({ github }) => {
      github.files.set(
        ".ralph/ralph.yml",
        `${github.files.get(".ralph/ralph.yml")}limits: { open_prs: 5 }\n`,
      );
    },
  });
  await app.send("push", pushed);
  await eventually(() => expect(app.github.dispatches).toHaveLength(1));
  await app.send("push", { ...pushed, after: "b".repeat(40) });
  await app.send("push", { ...pushed, after: "c".repeat(40) });
  await settled(app.store);
  const notes = await app.store.notes.list({ kind: "run", limit: 9 });
  const runs = notes.map(({ data }) => data as DispatchedRun);
  expect(runs.map(({ state }) => state).toSorted()).toEqual(["started", "waiting"]);
  // The run ended but its event was lost: a recheck releases the reports.
  const first = runs.find(({ state }) => state === "started");
  if (first) await keep(app.store, { ...first, state: "done" });
  await app.store.queue.add([recheckJob(place, "of the test")]);
  await eventually(() => expect(app.github.dispatches).toHaveLength(2));
  const waited = runs.find(({ state }) => state === "waiting");
  expect(app.github.dispatches[1]?.inputs["run-id"]).toBe(waited?.id);
});
