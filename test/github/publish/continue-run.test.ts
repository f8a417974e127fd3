import { describe, expect, test } from "vitest";
import type { Fact } from "../../../src/core/state/event.ts";
import { createGitHub } from "../../../src/github/api/create-github.ts";
import { continueRun, parseWorkflowRef } from "../../../src/github/publish/continue-run.ts";
import { startJournal } from "../../../src/journal/journal.ts";
import { agentEnd, sessionStart, start, task } from "../../support/builders/session.ts";
import { type Reply, startGitHubServer } from "../../support/github/server.ts";
import { createTestSystem } from "../../support/project/system.ts";

const resume: Fact = { type: "session_resume", sandbox: "off" };
const end = (reason: "checkpoint" | "task_failed"): Fact => ({
  type: "session_end",
  reason,
  message: "Out of time.",
});
const command = "gh workflow run ralph.yml --ref main -f resume-from=12";
let count = 0;

/** Dispatches for a session with these facts; each uses its own repository, so that none waits for another, or for one that was in a fake time. */
async function dispatch(facts: readonly Fact[], reply: Reply = { status: 204 }) {
  await using system = await createTestSystem();
  await using server = await startGitHubServer(() => reply);
  const files = system.files(system.root);
  const journal = await startJournal({ files, clock: system.clock }, sessionStart([task("T-001")]));
  for (const fact of facts) await journal.append(fact);
  await journal[Symbol.asyncDispose]();
  const repository = `o/continued${count++}`;
  const github = createGitHub({ apiUrl: server.apiUrl, token: "t", repository });
  const continued = continueRun(
    { github, system },
    {
      bundle: system.root,
      runId: "12",
      workflowRef: `${repository}/.github/workflows/ralph.yml@refs/heads/main`,
      maxContinuations: 2,
    },
  );
  const result = await continued.catch((error: unknown) => error);
  return { result, seen: server.seen, repository };
}

describe.concurrent("a session at a checkpoint", () => {
  test("is continued by the same workflow, on the same branch", async () => {
    const { result, seen, repository } = await dispatch([resume, end("checkpoint")]);
    expect(result).toEqual({ workflow: "ralph.yml", ref: "main", continuation: 2 });
    expect(seen).toMatchObject([
      {
        method: "POST",
        path: `/api/v3/repos/${repository}/actions/workflows/ralph.yml/dispatches`,
        body: { ref: "main", inputs: { "resume-from": "12" } },
      },
    ]);
  });

  test("is not continued above the limit", async () => {
    const { result, seen } = await dispatch([resume, end("checkpoint"), resume, end("checkpoint")]);
    expect(result).toMatchObject({
      reason: "checkpoint",
      message: "The session was continued 2 times; limits.max_continuations is 2.",
      remedy: expect.stringContaining(command),
    });
    expect(seen).toEqual([]);
  });

  test("is not continued during a usage limit, and the error gives its end", async () => {
    const resets_at = "2026-01-26T09:00:00.000Z";
    const outcome = { kind: "limited", message: "Usage limit", resets_at } as const;
    const limited = [start("T-001"), agentEnd("T-001", { outcome }), end("checkpoint")];
    const { result, seen } = await dispatch(limited);
    expect(result).toMatchObject({ remedy: `After ${resets_at}: \`${command}\`` });
    expect(seen).toEqual([]);
  });

  const refusals: [status: number, lack: RegExp][] = [
    [403, /`actions: write` under `permissions:`/],
    [404, /on the default branch/],
    [422, /input named `resume-from`/],
    [502, /gh run list --workflow ralph\.yml/],
  ];
  test.each(refusals)(
    "is refused with %i: the error names the permission and the command, and nothing is sent again",
    async (status, lack) => {
      const reply = { status, body: { message: "No." } };
      const { result, seen } = await dispatch([end("checkpoint")], reply);
      expect(result).toMatchObject({ reason: "checkpoint", exitCode: 23 });
      expect(result).toMatchObject({ remedy: expect.stringMatching(lack) });
      expect(result).toMatchObject({ remedy: expect.stringContaining(command) });
      expect(seen).toHaveLength(1);
    },
  );

  test("is not continued when the rate limit is used up, and no permission is blamed", async () => {
    const reset = String(Date.UTC(2037, 0, 1) / 1000);
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
    const { result } = await dispatch([end("checkpoint")], { status: 403, headers });
    expect(result).toMatchObject({
      message: expect.stringContaining("until 2037-01-01"),
      remedy: `When the limit ends: \`${command}\``,
    });
  });
});

test("a session that ended for another reason is not continued", async () => {
  const { result, seen } = await dispatch([end("task_failed")]);
  expect(result).toMatchObject({ message: expect.stringContaining("it ended as task_failed") });
  expect(seen).toEqual([]);
});

describe("GITHUB_WORKFLOW_REF", () => {
  const workflow = "o/r/.github/workflows/x.yaml";
  test.each([
    [`${workflow}@refs/heads/feature/a`, "feature/a"],
    [`${workflow}@refs/tags/v1.2`, "v1.2"],
  ])("%s names a workflow that can be started", (text, ref) => {
    expect(parseWorkflowRef(text, "O/R")).toEqual({ workflow: "x.yaml", ref });
  });

  test.each([
    "",
    `${workflow}@refs/pull/7/merge`,
    `${workflow}@refs/heads/$(id)`,
    `${workflow}@refs/heads/-x`,
    "other/r/.github/workflows/x.yaml@refs/heads/main",
  ])("%j does not", (text) => {
    expect(() => parseWorkflowRef(text, "o/r")).toThrow(/cannot be started again/);
  });
});
