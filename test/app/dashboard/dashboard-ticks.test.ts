import { expect, test } from "vitest";
import type { DispatchedRun } from "../../../app/runs/dispatched-run.ts";
import { claimRef, renderClaim } from "../../../src/github/claims/claim-note.ts";
import { renderPullMarker } from "../../../src/views/pull-request/pull-marker.ts";
import { type AppGitHub, appSlug, self } from "../../support/app/github.ts";
import { type FakeIssue, serveIssues } from "../../support/app/issues.ts";
import {
  ada,
  eventually,
  place,
  type RunningTestApp,
  settled,
  startTestApp,
} from "../../support/app/running-app.ts";
import {
  dispatchedRun,
  keep,
  readRun,
  reportsRequest,
  workRequest,
} from "../../support/app/runs.ts";

const mallory = { login: "mallory", id: 66, type: "User" } as const;
const workflow = { run: 31, attempt: 1, url: "https://github.com/octo/example/actions/runs/31" };
const pull = { number: 1, url: "https://github.com/octo/example/pull/1" };

interface Dashboarded extends RunningTestApp {
  issues: FakeIssue[];
  dashboard: FakeIssue;
}

/** The App with runs and the dashboard that belongs to them. */
async function startWith(
  runs: readonly DispatchedRun[],
  prepare?: (github: AppGitHub) => void,
): Promise<Dashboarded> {
  let issues: FakeIssue[] = [];
  const app = await startTestApp({
    prepare: async ({ github, store }) => {
      issues = serveIssues(github);
      prepare?.(github);
      for (const run of runs) await keep(store, run);
      const id = String(place.id);
      const data = { place, isPaused: false };
      await store.notes.put({ kind: "repository", id, repository: id, at: 1, data });
    },
  });
  await eventually(() => expect(issues).toHaveLength(1));
  await settled(app.store);
  const [dashboard] = issues;
  if (!dashboard) throw new Error("There is no dashboard.");
  return { ...app, issues, dashboard };
}

let edits = 0;

/** Ticks a box as GitHub's page does: changes the issue and sends the event with the text before and after. */
async function tick({ dashboard, send }: Dashboarded, mark: string, sender: object = ada) {
  const from = dashboard.body;
  dashboard.body = from.replace(
    `- [ ] <!-- ralph:box:${mark} -->`,
    `- [x] <!-- ralph:box:${mark} -->`,
  );
  expect(dashboard.body).not.toBe(from);
  dashboard.editor = { __typename: "User", login: "ada" };
  const updated_at = `2026-01-27T10:00:0${edits++ % 10}Z`;
  const issue = { ...dashboard, updated_at };
  await send("issues", { action: "edited", issue, changes: { body: { from } }, sender });
}

const ticks = ({ dashboard }: Dashboarded) => dashboard.body.match(/\[x\]/g) ?? [];
const writes = ({ github }: RunningTestApp) =>
  github.server.seen.filter(
    ({ method, path }) => method !== "GET" && /\/issues\/5\d\d$/.test(path),
  );

test("a box ticked with write permission acts once and is cleared", async () => {
  const failed = dispatchedRun({ words: "The workflow was cancelled; nothing was published." });
  const waiting = dispatchedRun({
    state: "waiting",
    request: workRequest({ item: "issue-20", issue: 20 }),
    words: "No room.",
  });
  const app = await startWith([failed]);
  expect(app.dashboard).toMatchObject({ title: "ralph dashboard", state: "open" });
  await settled(app.store);
  await keep(app.store, waiting);
  await tick(app, "pause");
  await eventually(() => expect(app.dashboard.body).toContain("**Paused:"));
  expect(ticks(app)).toEqual([]);
  await tick(app, `skip:${waiting.id}`);
  await eventually(async () =>
    expect(await readRun(app.store, waiting)).toMatchObject({ state: "refused" }),
  );
  await tick(app, "resume");
  await eventually(() => expect(app.dashboard.body).toContain("Pause everything"));
  await tick(app, `retry:${failed.id}`);
  await eventually(() => expect(app.github.dispatches).toHaveLength(1));
  await settled(app.store);
  expect(app.github.dispatches[0]?.inputs).toMatchObject({ command: "run", "issue-number": "12" });
  await eventually(() => expect(ticks(app)).toEqual([]));
  expect(app.dashboard.body).toContain("Started, waiting for a runner");
  expect(app.issues).toHaveLength(1);
});

test("a tick without write permission is cleared and has no other effect", async () => {
  const app = await startWith([dispatchedRun({ words: "It broke." })]);
  const permission = { permission: "read", role_name: "triage", user: { type: "User", id: 66 } };
  app.github.fake.state.permissions.mallory = permission;
  await tick(app, "pause", mallory);
  await eventually(() => expect(ticks(app)).toEqual([]));
  await settled(app.store);
  expect(app.dashboard.body).toContain("Pause everything");
  expect((await app.store.notes.get("repository", String(place.id)))?.data).toMatchObject({
    isPaused: false,
  });
});

test("a tick that an update has just overwritten still counts", async () => {
  const app = await startWith([dispatchedRun({ words: "It broke." })]);
  const from = app.dashboard.body;
  const body = from.replace("[ ] <!-- ralph:box:pause", "[x] <!-- ralph:box:pause");
  app.dashboard.editor = { __typename: "Bot", login: appSlug };
  const issue = { ...app.dashboard, body, updated_at: "2026-01-27T11:00:00Z" };
  await app.send("issues", { action: "edited", issue, changes: { body: { from } } });
  await eventually(() => expect(app.dashboard.body).toContain("**Paused:"));
});

test("an earlier tick does not get the permission of the next editor", async () => {
  const failed = dispatchedRun({ words: "It broke." });
  const app = await startWith([failed]);
  // A workflow has ticked a box, and its delivery is still on its way.
  const mark = `<!-- ralph:box:retry:${failed.id} -->`;
  app.dashboard.body = app.dashboard.body.replace(`- [ ] ${mark}`, `- [x] ${mark}`);
  await tick(app, "pause");
  await eventually(() => expect(app.dashboard.body).toContain("**Paused:"));
  await settled(app.store);
  expect(app.github.dispatches).toEqual([]);
  // It stays ticked until that delivery arrives.
  expect(ticks(app)).toHaveLength(1);
});

test("approving a plan continues its session, and `stop` cancels a running workflow", async () => {
  const report = dispatchedRun({
    request: reportsRequest(),
    workflow,
    pull,
  });
  const working = dispatchedRun({
    state: "working",
    workflow: { ...workflow, run: 32 },
    words: "x",
  });
  const app = await startWith([report, working], (github) => {
    leaveClaim(github, report);
    github.runs.set(32, workflowOf(working));
  });
  await tick(app, `cancel:${working.id}`);
  await eventually(() => expect(app.github.cancelled).toEqual([32]));
  await settled(app.store);
  await tick(app, `approve:${report.id}`);
  await eventually(() => expect(app.github.dispatches).toHaveLength(1));
  expect(app.github.dispatches[0]?.inputs).toMatchObject({
    "run-id": report.id,
    "resume-from": "31",
  });
  await eventually(() => expect(ticks(app)).toEqual([]));
  expect(await readRun(app.store, report)).toMatchObject({ state: "started", after: 31 });
});

/** The claim of a finished run. */
function leaveClaim({ fake }: AppGitHub, { id: holder, request }: DispatchedRun): void {
  const { item } = request;
  const { git } = fake.state;
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  git.trees.t = true;
  const message = renderClaim({ item, holder, url: "u", expires_at, state: "released" });
  git.commits["c".repeat(40)] = { message, tree: "t", parents: [] };
  git.refs[claimRef(item)] = "c".repeat(40);
}

const workflowOf = ({ id, workflow }: DispatchedRun) => ({
  ...{ id: workflow?.run, run_attempt: 1, path: ".github/workflows/ralph.yml" },
  ...{ event: "workflow_dispatch", head_branch: "main", display_title: `ralph-run:${id}` },
  ...{ status: "in_progress", conclusion: null, html_url: workflow?.url },
  ...{ actor: self, triggering_actor: self },
});

test("a rejected item can be allowed again: its notes and the pull request's marker change", async () => {
  const marker = renderPullMarker({ run: "20260125-143052-a7b3c9", item: "f00d" });
  const rejected = dispatchedRun({ workflow, pull, outcome: "rejected" });
  const app = await startWith([rejected]);
  app.github.fake.state.pulls.push({
    ...{ number: 1, node_id: "PR_1", html_url: pull.url, state: "closed", draft: false },
    ...{ title: "Ralph: it", body: `It.\n\n${marker}\n`, user: self },
    head: { ref: "ralph/it", sha: "c".repeat(40), repo: { full_name: "octo/example" } },
    base: { ref: "main", sha: "b".repeat(40), repo: { full_name: "octo/example" } },
    ...{ created_at: "2026-01-25T14:40:00Z", merged_at: null },
  });
  await tick(app, `unignore:${rejected.id}`);
  await eventually(() => expect(app.github.fake.state.pulls[0]?.body).toBe("It.\n"));
  await settled(app.store);
  expect((await readRun(app.store, rejected)).outcome).toBeUndefined();
  expect(app.dashboard.body).not.toContain("unignore");
});

test("an unchanged or closed dashboard is not written", async () => {
  const app = await startWith([dispatchedRun({ words: "It broke." })]);
  const before = writes(app).length;
  const issue = { number: 12, state: "open", updated_at: "2026-01-27T10:00:00Z", user: ada };
  const say = (id: number, body: string) =>
    app.send("issue_comment", { action: "created", issue, comment: { id, body, user: ada } });
  await say(81, "/ralph status");
  await eventually(() => expect(app.github.fake.state.comments).toHaveLength(1));
  await settled(app.store);
  expect(writes(app)).toHaveLength(before);
  app.dashboard.state = "closed";
  await say(82, "/ralph pause");
  await eventually(() => expect(app.github.fake.state.reactions).toHaveLength(1));
  await settled(app.store);
  expect(writes(app)).toHaveLength(before);
  expect(app.issues).toHaveLength(1);
});
