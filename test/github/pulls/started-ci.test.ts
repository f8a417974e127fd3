import { expect, test } from "vitest";
import { checkCiStart, type PushedHead } from "../../../src/github/pulls/started-ci.ts";
import type { FakeGitHub } from "../../support/github/fake-github.ts";
import { head, publishing } from "../../support/github/publishing.ts";

const workflow = { path: ".github/workflows/ci.yml", name: "CI", state: "active" };
const own = { path: ".github/workflows/ralph.yml", name: "ralph", state: "active" };
const ci = { id: 5, name: "CI", head_sha: head, status: "queued", conclusion: null };
const suite = (slug: string, count: number) => ({
  head_sha: head,
  app: { slug, name: slug },
  latest_check_runs_count: count,
});

function prove(prepare: (fake: FakeGitHub) => void, more: Partial<PushedHead> = {}) {
  const pushed = { head, ownRunId: "12", ownWorkflow: "ralph.yml", ...more };
  return publishing((deps) => checkCiStart(deps, pushed), { prepare });
}

test("CI has started when the commit has a workflow run", async () => {
  const { result, fake } = await prove(({ state }) => state.workflowRuns.push(ci));
  expect(result).toEqual({ kind: "started", names: ["CI"] });
  expect(fake.seen).toHaveLength(1);
});

test("CI has started when another service reports checks", async () => {
  const { result } = await prove(({ state }) =>
    state.suites.push(suite("github-actions", 3), suite("idle-app", 0), suite("buildkite", 1)),
  );
  expect(result).toEqual({ kind: "started", names: ["buildkite"] });
});

test("a workflow run that starts a little later is found", async () => {
  const { result, fake } = await prove(({ state, breakBy }) => {
    state.workflows.push(workflow);
    breakBy((_, count) => {
      if (count === 6) state.workflowRuns.push(ci);
      return undefined;
    });
  });
  expect(result).toMatchObject({ kind: "started" });
  // Three checks of two requests each, except the last, and the list of workflows.
  expect(fake.seen).toHaveLength(6);
});

test("runs that wait for approval do not count, and the remedy says how to approve them", async () => {
  const { result } = await prove(({ state }) =>
    state.workflowRuns.push({ ...ci, status: "completed", conclusion: "action_required" }),
  );
  expect(result).toMatchObject({
    kind: "waiting",
    names: ["CI"],
    remedy: expect.stringContaining("Approve them on the pull request"),
  });
});

test.each([
  ["with the job's own token", [workflow], {}, /app-private-key/],
  ["with a person's token", [workflow], { pusher: { login: "ada" } }, /Add `pull_request:`/],
  ["with workflows that are off", [{ ...workflow, state: "disabled_manually" }], {}, /is disabled/],
] as const)("nothing starts %s: the setting is named", async (_, workflows, more, remedy) => {
  const { result, fake } = await prove((fake) => {
    fake.state.workflows.push(own, ...workflows);
    fake.state.workflowRuns.push({ ...ci, id: 12 });
    fake.state.suites.push(suite("github-actions", 1));
  }, more);
  expect(result).toMatchObject({ kind: "not-started", remedy: expect.stringMatching(remedy) });
  expect(fake.seen.length).toBeLessThanOrEqual(9);
});

test("a repository whose only workflow is ralph's has no CI", async () => {
  const { result, fake } = await prove(({ state }) => state.workflows.push(own));
  expect(result).toEqual({ kind: "no-ci" });
  // Two checks: no half minute is spent waiting for nothing.
  expect(fake.seen).toHaveLength(5);
});
