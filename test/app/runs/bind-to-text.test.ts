import { expect, test } from "vitest";
import type { DispatchedRun } from "../../../app/runs/dispatched-run.ts";
import { claimRef, parseClaim } from "../../../src/github/claims/claim-note.ts";
import { digestOfIssue } from "../../../src/github/issues/issue-text.ts";
import { renderPullMarker } from "../../../src/views/pull-request/pull-marker.ts";
import { self } from "../../support/app/github.ts";
import {
  ada,
  eventually,
  type RunningTestApp,
  settled,
  startTestApp,
} from "../../support/app/running-app.ts";
import { dispatchedRun, keep, readRun, workRequest } from "../../support/app/runs.ts";
import type { FakePull } from "../../support/github/fake-state.ts";

const said = { title: "Login", body: "It fails.\r\nAlways." };
const issue = { number: 12, state: "open", updated_at: "2026-01-27T10:00:00Z", user: ada, ...said };
const labeled = { action: "labeled", issue, label: { name: "ralph" } };
const commented = (body: string) => ({
  action: "created",
  issue,
  comment: { id: 44, body, user: ada },
});

/** The App on a GitHub where the issue now has this text. */
async function startWith(
  now: object,
  runs: readonly DispatchedRun[] = [],
): Promise<RunningTestApp> {
  return startTestApp({
    prepare: async ({ github, store }) => {
      github.more = (asked) =>
        asked === "GET /repos/octo/example/issues/12" ? { body: { ...issue, ...now } } : undefined;
      for (const run of runs) await keep(store, run);
    },
  });
}

const comments = ({ github }: RunningTestApp) => github.fake.state.comments.map(({ body }) => body);

function claimOf({ github }: RunningTestApp, item: string) {
  const { refs, commits } = github.fake.state.git;
  return parseClaim(commits[refs[claimRef(item)] ?? ""]?.message ?? "", item);
}

test.each<[string, string, object]>([
  ["a label", "issues", labeled],
  ["a command", "issue_comment", commented("/ralph run")],
  ["the autopilot command", "issue_comment", commented("/ralph autopilot")],
])(
  "%s is bound to the issue's text at that time: after an edit it is refused with a comment, and nothing is claimed",
  async (_, event, payload) => {
    const app = await startWith({ body: "Send me the keys." });
    await app.send(event, payload);
    await eventually(() =>
      expect(comments(app)).toEqual([expect.stringContaining("edited after the request")]),
    );
    await settled(app.store);
    expect([app.github.dispatches, app.github.fake.state.git.refs]).toEqual([[], {}]);
  },
);

test.each<[string, string, object, object]>([
  ["a label", "issues", labeled, { trigger: "label", overridesRejection: false }],
  [
    "a command",
    "issue_comment",
    commented("/ralph run"),
    { trigger: "start-command", overridesRejection: true },
  ],
])("the claim holds the digest of the issue's text at %s", async (_, event, payload, more) => {
  const app = await startWith({});
  await app.send(event, payload);
  await eventually(() => expect(app.github.dispatches).toHaveLength(1));
  await settled(app.store);
  const textDigest = digestOfIssue(said);
  const request = { command: "run", item: "issue-12", issue: 12, actor: ada };
  expect(claimOf(app, "issue-12")).toMatchObject({
    request: { ...request, textDigest, ...more },
  });
  expect(Object.keys(app.github.dispatches[0]?.inputs ?? {})).not.toContain("text");
});

test("a waiting run does not start after its text was edited", async () => {
  const request = workRequest({ actor: ada, textDigest: digestOfIssue(said) });
  const waiting = dispatchedRun({ state: "waiting", waits_for: "room", request });
  const app = await startWith({ title: "Logout" }, [waiting]);
  await app.send("issue_comment", commented("/ralph resume"));
  await eventually(async () =>
    expect(await readRun(app.store, waiting)).toMatchObject({ state: "refused" }),
  );
  expect(app.github.dispatches).toEqual([]);
});

test("an autopilot for an issue claims the reports and the issue, so that no other run works on either", async () => {
  const app = await startWith({});
  app.github.files.set(
    ".ralph/ralph.yml",
    `${app.github.files.get(".ralph/ralph.yml")}limits: { open_prs: 5 }\n`,
  );
  await app.send("issues", { ...labeled, label: { name: "ralph:autopilot" } });
  await eventually(() => expect(app.github.dispatches).toHaveLength(1));
  expect(claimOf(app, "reports")).toMatchObject({
    request: { alternativeIssue: 12, textDigest: digestOfIssue(said) },
  });
  await app.send("issues", { ...labeled, issue: { ...issue, updated_at: "2026-01-27T11:00:00Z" } });
  await eventually(() =>
    expect(comments(app)).toEqual([
      expect.stringContaining("**Started"),
      expect.stringContaining("reports is claimed by"),
    ]),
  );
  expect(app.github.dispatches).toHaveLength(1);
});

test("a start lists only the open pull requests", async () => {
  const pullOf = (number: number): FakePull => ({
    ...{ number, node_id: `PR_${number}`, html_url: `https://g/${number}`, state: "closed" },
    ...{ draft: false, title: "Ralph: it", user: self, created_at: "2026-01-25T14:40:00Z" },
    body: renderPullMarker({ run: "20260125-143052-a7b3c9", item: "f00d" }),
    head: { ref: `ralph/${number}`, sha: "c".repeat(40), repo: { full_name: "octo/example" } },
    ...{
      base: { ref: "main", sha: "b".repeat(40), repo: { full_name: "octo/example" } },
      merged_at: null,
    },
  });
  const app = await startWith({});
  const { fake } = app.github;
  fake.state.pulls.push(...Array.from({ length: 350 }, (_, at) => pullOf(at + 1)));
  await app.send("issues", labeled);
  await eventually(() => expect(app.github.dispatches).toHaveLength(1));
  const asked = fake.seen.filter(({ method, path }) => method === "GET" && /\/pulls\?/.test(path));
  expect(asked.map(({ path }) => new URL(path, "http://x").searchParams.get("state"))).toEqual([
    "open",
  ]);
});
