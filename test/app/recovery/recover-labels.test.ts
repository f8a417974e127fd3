import { expect, test } from "vitest";
import { recheckJob } from "../../../app/jobs/new-job.ts";
import { claimRef } from "../../../src/github/claims/claim-note.ts";
import { digestOfIssue } from "../../../src/github/issues/issue-text.ts";
import {
  ada,
  eventually,
  place,
  type RunningTestApp,
  settled,
  startTestApp,
} from "../../support/app/running-app.ts";
import type { Reply } from "../../support/github/server.ts";

const dayMs = 24 * 3_600_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const issue = { number: 12, title: "Login", body: "It fails.", state: "open", user: ada };

type Happened = { id: number; event: string; created_at: string; [key: string]: unknown };
const labeled = (change: object = {}): Happened => ({
  ...{ id: 70, event: "labeled", created_at: ago(4 * dayMs), actor: ada, label: { name: "ralph" } },
  ...change,
});

type Listed = {
  label?: string;
  issues?: readonly object[];
  events?: readonly Happened[];
  lastEditedAt?: string | null;
};

/** Rechecks a repository twice in which the event of an issue's label was lost. */
async function look(listed: Listed): Promise<RunningTestApp> {
  const app = await startTestApp({
    prepare: ({ github }) => {
      github.more = (asked, { path }) =>
        asked === "GET /repos/octo/example/issues"
          ? { body: listOf(listed, { path, isGone: github.removedLabels.length > 0 }) }
          : answer(listed, asked);
    },
  });
  for (const occasion of ["first", "second"]) {
    await app.store.queue.add([recheckJob(place, occasion)]);
    await settled(app.store);
  }
  return app;
}

function listOf(
  { issues = [issue], label = "ralph" }: Listed,
  { path, isGone }: { path: string; isGone: boolean },
): readonly object[] {
  const wanted = new URL(path, "http://fake").searchParams;
  const isOpen = wanted.get("state") === "open";
  return isOpen && wanted.get("labels") === label && !isGone ? issues : [];
}

function answer(
  { events = [labeled()], lastEditedAt = null }: Listed,
  asked: string,
): Reply | undefined {
  if (asked.endsWith("/issues/12/events")) return { body: events };
  if (asked.endsWith("/issues/12") && asked.startsWith("GET")) return { body: issue };
  if (!asked.endsWith("/graphql")) return undefined;
  return { body: { data: { repository: { issue: { lastEditedAt } } } } };
}

const notesOf = async ({ store }: RunningTestApp) =>
  (await store.notes.list({ kind: "run", limit: 9 })).map(({ data }) => data);

test("a label whose event is lost starts its run once, for the person who set it", async () => {
  const { github, ...app } = await look({});
  expect(github.dispatches).toMatchObject([{ inputs: { command: "run", "issue-number": "12" } }]);
  expect(github.removedLabels).toEqual(["ralph"]);
  expect(await notesOf({ github, ...app })).toMatchObject([
    { request: { trigger: "label", actor: { login: "ada" }, textDigest: digestOfIssue(issue) } },
  ]);
});

test("the autopilot label lets the autopilot choose among the reports and the issue", async () => {
  const other = "ralph:autopilot";
  const { github } = await look({ label: other, events: [labeled({ label: { name: other } })] });
  expect(github.dispatches).toMatchObject([{ inputs: { command: "autopilot" } }]);
  const { refs, commits } = github.fake.state.git;
  expect(commits[refs[claimRef("reports")] ?? ""]?.message).toContain('"also":"issue-12"');
});

test.each<[string, Listed]>([
  [
    "a label that GitHub may still redeliver",
    { events: [labeled({ created_at: ago(2.9 * dayMs) })] },
  ],
  ["a label on a pull request", { issues: [{ ...issue, pull_request: {} }] }],
  ["another label", { events: [labeled({ label: { name: "bug" } })] }],
])("%s starts nothing and stays", async (_, listed) => {
  const { github } = await look(listed);
  expect([github.dispatches, github.removedLabels]).toEqual([[], []]);
});

test.each<[string, Listed, RegExp]>([
  [
    "a person without write permission",
    { events: [labeled({ actor: { login: "eve", id: 6, type: "User" } })] },
    /Nothing was started/,
  ],
  ["a deleted account", { events: [labeled({ actor: null })] }, /the account no longer exists/],
  [
    "a title that was edited later",
    { events: [labeled(), labeled({ id: 71, event: "renamed" })] },
    /edited after the request/,
  ],
  [
    "a text that was edited in the same second",
    {
      events: [labeled({ created_at: "2026-01-20T10:00:00Z" })],
      lastEditedAt: "2026-01-20T10:00:00Z",
    },
    /edited after the request/,
  ],
])("%s: refused with a comment, and the label is removed", async (_, listed, words) => {
  const { github } = await look(listed);
  expect([github.dispatches, github.removedLabels]).toEqual([[], ["ralph"]]);
  expect(github.fake.state.comments.map(({ body }) => body)).toEqual([
    expect.stringMatching(words),
  ]);
});

test("a label applies to a text that was edited before it", async () => {
  const { github } = await look({ lastEditedAt: ago(5 * dayMs) });
  expect(github.dispatches).toHaveLength(1);
});

test("a repository without issues has no labels", async () => {
  const app = await startTestApp({
    prepare: ({ github }) => {
      github.more = (asked) =>
        asked.endsWith("/issues") && asked.startsWith("GET")
          ? { status: 410, body: { message: "Issues are disabled" } }
          : undefined;
    },
  });
  await app.store.queue.add([recheckJob(place, "of the test")]);
  await settled(app.store);
  await eventually(() => expect(app.github.dispatches).toEqual([]));
});
