import { expect, test } from "vitest";
import { renderPullMarker } from "../../../src/views/pull-request/pull-marker.ts";
import { type ActionProject, createActionProject, token } from "../../support/action/project.ts";
import { task } from "../../support/builders/session.ts";
import type { FakePull } from "../../support/github/fake-state.ts";

/** A clone of a repository on GitHub with one open task. */
async function createClone(GITHUB_TOKEN = token): Promise<ActionProject> {
  const github = await createActionProject({ tasks: [task("T-001")], env: { GITHUB_TOKEN } });
  github.project.git("remote", "add", "origin", `${github.server.url}/octo/example.git`);
  return github;
}

/** An earlier pull request of ralph's from the branch that the task list names. */
function addPull({ state }: ActionProject, given: Partial<FakePull> = {}): void {
  const side = { ref: "ralph/example", sha: "0".repeat(40), repo: { full_name: "octo/example" } };
  state.pulls.push({
    ...{ number: 1, node_id: "PR_1", html_url: "https://github.com/octo/example/pull/1" },
    ...{ state: "open", draft: false, title: "Ralph: x", head: side },
    ...{ body: renderPullMarker({ run: "20260120-100000-abc123" }) },
    ...{ user: { login: "ada", type: "User" }, base: { ...side, ref: "main" } },
    ...{ created_at: "2026-01-20T10:00:00Z", merged_at: null, ...given },
  });
}

const branchOf = ({ project }: ActionProject) => project.git("branch", "--show-current");

test("a local run waits for its open pull request as a nightly one does, and says how to add to it", async () => {
  await using github = await createClone();
  addPull(github);
  const { exitCode, stdout, stderr } = await github.project.ralph("run");
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout).toContain(
    "Pull request #1 waits for a person: https://github.com/octo/example/pull/1",
  );
  expect(stdout).toContain("`git switch ralph/example`");
  expect(branchOf(github)).toBe("main");
  const json = JSON.parse((await github.project.ralph("run", "--json")).stdout);
  expect(json).toMatchObject({ status: "nothing_to_do", exit_code: 0 });
  github.project.git("switch", "-qc", "ralph/example");
  expect((await github.project.run()).exitCode).toBe(0);
});

test.each([
  ["merged", { merged_at: "2026-01-21T10:00:00Z" }],
  ["closed without a merge", {}],
] as const)(
  "after a pull request that was %s a local run takes the next name",
  async (_, given) => {
    await using github = await createClone();
    addPull(github, { state: "closed", ...given });
    const { exitCode, stderr } = await github.project.run();
    expect(exitCode, stderr).toBe(0);
    expect(branchOf(github)).toBe("ralph/example-2");
  },
);

test("someone else's pull request from the branch is refused", async () => {
  await using github = await createClone();
  addPull(github, { body: "Mine." });
  const { exitCode, stderr } = await github.project.ralph("run");
  expect(exitCode).toBe(14);
  expect(stderr).toContain("Someone else's pull request #1 is open from the branch ralph/example");
});

test("without a token GitHub is not asked, and nothing is said about it", async () => {
  await using github = await createClone("");
  addPull(github);
  const { exitCode, stderr } = await github.project.run();
  expect(exitCode).toBe(0);
  expect(stderr).not.toContain("Warning");
  expect(github.server.seen).toEqual([]);
  expect(branchOf(github)).toBe("ralph/example");
});

test("a token that is not accepted costs a warning, not the run", async () => {
  await using github = await createClone("ghp_expired");
  addPull(github);
  const { exitCode, stderr } = await github.project.run();
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/Warning: earlier pull requests are not known: .*Bad credentials/);
});
