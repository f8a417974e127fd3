import { expect, onTestFinished, test } from "vitest";
import { webhookPath } from "../../../app/settings/settings.ts";
import { startApp } from "../../../app/start-app.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import { workflowOf } from "../../support/app/commented-app.ts";
import { deliver } from "../../support/app/deliveries.ts";
import { type AppGitHub, startAppGitHub } from "../../support/app/github.ts";
import { ada, eventually, place, settled, startTestApp } from "../../support/app/running-app.ts";
import { dispatchedRun, keep, readRun } from "../../support/app/runs.ts";
import { settingsFor } from "../../support/app/settings.ts";
import { createTestFolder } from "../../support/project/system.ts";

const config = `version: "1"
task_source: { type: prd_json, path: .ralph/prd.json }
git: { base_branch: main }
gates: { full: [{ name: test, cmd: npm test }] }
autopilot: { enabled: true }
`;

async function startAll(): Promise<{ github: AppGitHub; hook: string }> {
  const github = await startAppGitHub();
  github.files.set(".ralph/ralph.yml", config);
  github.fake.state.permissions.ada = {
    permission: "write",
    role_name: "write",
    user: { type: "User", id: 5 },
  };
  const folder = await createTestFolder();
  const app = await startApp(
    createSystem(),
    settingsFor(github, `${folder.path}/data`),
    () => undefined,
  );
  onTestFinished(async () => {
    await app[Symbol.asyncDispose]();
    await github[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  return { github, hook: `${app.url}${webhookPath}` };
}

const labeled = (change: Record<string, unknown> = {}) =>
  JSON.stringify({
    action: "labeled",
    installation: { id: 3 },
    repository: { id: 7, full_name: "octo/example", default_branch: "main" },
    sender: { login: "ada", id: 5, type: "User" },
    issue: { number: 12, state: "open", updated_at: "2026-01-20T10:00:00Z" },
    label: { name: "ralph" },
    ...change,
  });

test("a label with write permission leads to a claim, a comment and a started workflow", async () => {
  const { github, hook } = await startAll();
  expect(await deliver(hook, { body: labeled() })).toMatchObject({ status: 202 });
  await eventually(() => expect(github.dispatches).toHaveLength(1));
  const [dispatch] = github.dispatches;
  expect(dispatch).toMatchObject({
    workflow: "ralph.yml",
    ref: "main",
    inputs: { "issue-number": "12", publisher: "app" },
  });
  expect(github.removedLabels).toEqual(["ralph"]);
  const { refs } = github.fake.state.git;
  expect(dispatch?.inputs.claim).toBe(`issue-12:${refs["refs/ralph/claims/issue-12"]}`);
  await eventually(() => {
    expect(github.fake.state.comments).toMatchObject([
      { issue: 12, body: expect.stringContaining("**Started, waiting for a runner**") },
    ]);
  });
  // The same event under another id.
  expect(await deliver(hook, { body: labeled() })).toMatchObject({ status: 202 });
  await eventually(async () => {
    const ready = await fetch(hook.replace(webhookPath, "/readyz"));
    expect(await ready.text()).toBe("ready, 0 jobs wait\n");
  });
  expect(github.dispatches).toHaveLength(1);
});

test("a start that was interrupted after GitHub had started its workflow starts no second one", async () => {
  const claim = { item: "issue-12", commit: "c".repeat(40) };
  const run = dispatchedRun({ state: "claimed", claim, started_at: Date.now() - 5000 });
  const app = await startTestApp({
    prepare: async ({ github, store }) => {
      github.runs.set(31, workflowOf(run));
      const request = { ...run.request, actor: ada };
      await keep(store, { ...run, request });
      const data = { place, request };
      await store.queue.add([{ id: run.id, kind: "start", group: "work:7", data }]);
    },
  });
  await settled(app.store);
  expect(app.github.dispatches).toEqual([]);
  expect((await readRun(app.store, run)).state).not.toBe("claimed");
});
