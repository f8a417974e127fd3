import { expect, test } from "vitest";
import type { DispatchedRun } from "../../../app/runs/dispatched-run.ts";
import { ada, eventually, settled, startTestApp } from "../../support/app/running-app.ts";
import { dispatchedRun, keep, reportsRequest } from "../../support/app/runs.ts";

const workflow = { run: 31, attempt: 1, url: "u" };
const ours = { number: 12, state: "open", updated_at: "2026-01-27T10:00:00Z", user: ada };

/** The App with some runs, after a comment by Ada. */
async function said(
  body: string,
  { runs, issue = ours }: { runs: DispatchedRun[]; issue?: object },
) {
  const app = await startTestApp({
    prepare: async ({ store }) => {
      for (const run of runs) await keep(store, run);
    },
  });
  await app.send("issue_comment", {
    ...{ action: "created", issue, comment: { id: 91, body, user: ada } },
  });
  await settled(app.store);
  return app;
}

test("a later refused request does not hide the run to cancel", async () => {
  const working = dispatchedRun({ state: "working", workflow });
  const refused = dispatchedRun({ state: "refused", started_at: Date.now() });
  const { github } = await said("/ralph cancel", { runs: [working, refused] });
  await eventually(() => expect(github.cancelled).toEqual([31]));
});

test("a retry repeats the request of the earlier run", async () => {
  const failed = dispatchedRun({ request: reportsRequest({ issue: 12 }), workflow });
  const { github } = await said("/ralph retry", { runs: [failed] });
  await eventually(() => expect(github.dispatches).toHaveLength(1));
  expect(github.dispatches[0]?.inputs).toMatchObject({ command: "autopilot" });
});

test("a command in a foreign pull request starts nothing", async () => {
  const issue = { ...ours, number: 40, pull_request: {} };
  const { github } = await said("/ralph run", { runs: [], issue });
  const written = () => github.fake.state.comments.map(({ body }) => body);
  await eventually(() =>
    expect(written()).toEqual([expect.stringContaining("does not belong to ralph")]),
  );
  expect(github.dispatches).toEqual([]);
});
