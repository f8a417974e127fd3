import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { claimRef, renderClaim } from "../../../src/github/claims/claim-note.ts";
import { thorough } from "../../setup/sampled.ts";
import { answers, say, startCommented } from "../../support/app/commented-app.ts";
import { self } from "../../support/app/github.ts";
import {
  ada,
  eventually,
  place,
  type RunningTestApp,
  settled,
  startTestApp,
} from "../../support/app/running-app.ts";
import { dispatchedRun, keep, readRun } from "../../support/app/runs.ts";

const issue = { number: 12, state: "open", updated_at: "2026-01-27T10:00:00Z", user: ada };
const timeout = 60_000;

async function cancel(app: RunningTestApp): Promise<void> {
  const comment = { id: 77, body: "/ralph cancel", user: ada };
  await app.send("issue_comment", { action: "created", issue, comment });
  const { reactions } = app.github.fake.state;
  await eventually(() => expect(reactions).toContainEqual({ comment: 77, content: "+1" }));
}

/** Delivers the event of a run's workflow. */
async function comeUp(app: RunningTestApp, run: string): Promise<void> {
  const facts = {
    ...{ id: 31, run_attempt: 1, event: "workflow_dispatch", head_branch: "main" },
    ...{ path: ".github/workflows/ralph.yml", display_title: `ralph-run:${run}`, html_url: "u" },
    ...{ status: "in_progress", actor: self, triggering_actor: self },
  };
  app.github.runs.set(31, facts);
  await app.send("workflow_run", { action: "in_progress", workflow_run: facts });
  await settled(app.store);
}

const wishes = ({ store }: RunningTestApp) => store.notes.list({ kind: "cancel", limit: 9 });

test(
  "a run whose workflow is still unknown is cancelled as soon as it is known, once",
  async () => {
    const run = dispatchedRun({ state: "started", changed_at: Date.now() });
    const app = await startTestApp({ prepare: ({ store }) => keep(store, run) });
    await cancel(app);
    await settled(app.store);
    expect(app.github.cancelled).toEqual([]);
    await comeUp(app, run.id);
    await eventually(() => expect(app.github.cancelled).toEqual([31]));
    await comeUp(app, run.id);
    expect(app.github.cancelled).toEqual([31]);
    expect(await wishes(app)).toEqual([]);
  },
  timeout,
);

/** The App after a start that GitHub did not answer; it is retried later. */
async function unanswered(): Promise<RunningTestApp> {
  const app = await startTestApp();
  app.github.more = (asked) =>
    asked.endsWith("/dispatches") ? { status: 502, body: { message: "Bad Gateway" } } : undefined;
  await app.send("issues", { action: "labeled", issue, label: { name: "ralph" } });
  await eventually(async () =>
    expect(await app.store.queue.counts()).toMatchObject({ ready: 1, active: 0 }),
  );
  app.github.more = () => undefined;
  return app;
}

thorough(
  "a cancelled run that has not begun ends, releases its item, and is not started by a later attempt",
  async () => {
    const app = await unanswered();
    const [note] = await app.store.notes.list({ kind: "run", limit: 1 });
    expect(note?.data).toMatchObject({ state: "claimed" });
    await cancel(app);
    await settled(app.store);
    const run = (await app.store.notes.get("run", note?.id ?? ""))?.data;
    expect(run).toMatchObject({ state: "refused", words: expect.stringContaining("before it") });
    const { refs, commits } = app.github.fake.state.git;
    expect(commits[refs[claimRef("issue-12")] ?? ""]?.message).toContain('"state":"released"');
    expect(app.github.dispatches).toEqual([]);
  },
  timeout,
);

/** Gives the issue's item to a holder. */
function hold({ github }: RunningTestApp, holder: string): void {
  const { git } = github.fake.state;
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const note = { item: "issue-12", holder, url: "u", expires_at, state: "held" } as const;
  git.trees.t = true;
  git.commits["c".repeat(40)] = { message: renderClaim(note), tree: "t", parents: [] };
  git.refs[claimRef("issue-12")] = "c".repeat(40);
}

test(
  "a workflow that appears late and has the item is cancelled",
  async () => {
    const run = dispatchedRun({ state: "refused", changed_at: Date.now() });
    const app = await startTestApp({
      prepare: async ({ store }) => {
        await keep(store, run);
        const repository = String(place.id);
        const wish = { kind: "cancel", id: run.id, repository, at: Date.now(), data: {} } as const;
        await store.notes.put(wish);
        await store.notes.put({ ...wish, id: randomUUID() });
      },
    });
    hold(app, "31");
    await comeUp(app, run.id);
    await eventually(() => expect(app.github.cancelled).toEqual([31]));
    expect(await readRun(app.store, run)).toMatchObject({ state: "working" });
    expect(await wishes(app)).toEqual([]);
  },
  timeout,
);

test(
  "a cancelled session is published and does not continue",
  async () => {
    const words = "Pull request #1 is a draft.";
    const workflow = { run: 31, attempt: 1, url: "u" };
    const run = dispatchedRun({ state: "publishing", workflow, words, changed_at: Date.now() });
    const app = await startCommented({ runs: [run] });
    await say(app, "/ralph cancel");
    expect(answers(app)).toEqual([
      expect.stringContaining("**Being cancelled, as ada asked**"),
      expect.stringContaining("it will not continue"),
    ]);
    const job = { id: randomUUID(), kind: "continue", group: "work:7" };
    await app.store.queue.add([{ ...job, data: { place, runId: run.id, workflow } }]);
    await settled(app.store);
    expect(await app.store.notes.get("run", run.id)).toMatchObject({
      data: { state: "done", words: `${words} The run was stopped, so it does not continue.` },
    });
    expect(app.github.dispatches).toEqual([]);
    expect(await wishes(app)).toEqual([]);
  },
  timeout,
);
