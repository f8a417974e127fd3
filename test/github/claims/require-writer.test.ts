import { describe, expect, test } from "vitest";
import { createGitHub } from "../../../src/github/api/create-github.ts";
import {
  requireWriter,
  type StartedBy,
  startRuleOf,
} from "../../../src/github/claims/require-writer.ts";
import { createFakeGitHub } from "../../support/github/fake-github.ts";
import { startGitHubServer } from "../../support/github/server.ts";

test.each([
  ["workflow_dispatch", "writer"],
  ["repository_dispatch", "writer"],
  ["schedule", "writer"],
  ["push", "writer"],
  ["issues", "ask"],
  ["issue_comment", "ask"],
  ["pull_request", "refuse"],
  ["pull_request_target", "refuse"],
  ["workflow_run", "refuse"],
  ["discussion_comment", "refuse"],
  ["constructor", "refuse"],
  ["", "refuse"],
])("the event %j: %s", (event, rule) => {
  expect(startRuleOf(event)).toBe(rule);
});

const people = {
  ada: { permission: "admin", role_name: "admin" },
  max: { permission: "write", role_name: "maintain" },
  wilma: { permission: "write", role_name: "write" },
  carl: { permission: "write", role_name: "release captain" },
  tina: { permission: "read", role_name: "triage" },
  rita: { permission: "read", role_name: "read" },
  nora: { permission: "none", role_name: "none" },
  robot: { permission: "write", role_name: "write", user: { type: "Bot" } },
};

/** Returns the refusal, and the accounts GitHub was asked about. */
async function ask(by: Partial<StartedBy>) {
  const fake = createFakeGitHub();
  Object.assign(fake.state.permissions, people);
  await using server = await startGitHubServer(fake.answer);
  const github = createGitHub({ apiUrl: server.apiUrl, token: "t", repository: "o/r" });
  const actor = by.actor ?? "ada";
  const started = { event: "issues", actor, triggeringActor: actor, ...by };
  const refusal = await requireWriter(github, started).catch((error: unknown) => error);
  const asked = server.seen.map(({ path }) => decodeURIComponent(path.split("/").at(-2) ?? ""));
  return { refusal, asked };
}

describe.concurrent("an account that labels an issue", () => {
  test.each(["ada", "max", "wilma", "carl"])(
    "starts agents with write access: %s",
    async (actor) => {
      expect(await ask({ actor })).toEqual({ refusal: undefined, asked: [actor] });
    },
  );

  test.each([
    ["tina", "triage"],
    ["rita", "read"],
    ["nora", "none"],
    ["mallory", "not a collaborator"],
    ["robot", "an App"],
  ])("starts nothing without write access: %s (%s)", async (actor, role) => {
    const { refusal } = await ask({ actor });
    expect(refusal).toMatchObject({
      exitCode: 1,
      message: `${actor} may not start agents in o/r: write access is required, and GitHub reports: ${role}.`,
    });
  });

  test.each(["github-actions[bot]", "ada[bot]", ""])(
    "starts nothing unless it is a person, and GitHub is not asked: %j",
    async (actor) => {
      const { refusal, asked } = await ask({ actor });
      expect(refusal).toMatchObject({ exitCode: 1 });
      expect(asked).toEqual([]);
    },
  );
});

test("both the first actor and the one who re-runs the workflow need write access", async () => {
  const [again, lent] = await Promise.all([
    ask({ actor: "mallory", triggeringActor: "ada" }),
    ask({ actor: "ada", triggeringActor: "mallory" }),
  ]);
  expect(again.refusal).toMatchObject({ message: expect.stringMatching(/^mallory /) });
  expect(lent.refusal).toMatchObject({ message: expect.stringMatching(/^mallory /) });
});

test("events that require write access need no request", async () => {
  const { refusal, asked } = await ask({ event: "workflow_dispatch", actor: "mallory" });
  expect([refusal, asked]).toEqual([undefined, []]);
});

test("events that anyone with a fork can trigger start nothing", async () => {
  const { refusal, asked } = await ask({ event: "pull_request_target" });
  expect(refusal).toMatchObject({
    exitCode: 1,
    message: expect.stringContaining('The event "pull_request_target" starts nothing'),
    remedy: expect.stringContaining("workflow_dispatch, repository_dispatch, schedule, push"),
  });
  expect(asked).toEqual([]);
});

test("without an answer nothing starts", async () => {
  await using server = await startGitHubServer(() => ({ status: 403, body: { message: "No." } }));
  const github = createGitHub({ apiUrl: server.apiUrl, token: "t", repository: "o/denied" });
  const by = { event: "issues", actor: "ada", triggeringActor: "ada" };
  await expect(requireWriter(github, by)).rejects.toMatchObject({ exitCode: 1 });
  await using odd = await startGitHubServer(() => ({ body: { permission: 7 } }), undefined, false);
  const other = createGitHub({ apiUrl: odd.apiUrl, token: "t", repository: "o/odd" });
  await expect(requireWriter(other, by)).rejects.toMatchObject({ exitCode: 1 });
});
