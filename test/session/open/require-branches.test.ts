import { expect, test } from "vitest";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";

const one = { tasks: [task("T-001")] };
const commands: [command: string, args: readonly string[]][] = [
  ["validate", []],
  ["scan", ["--check", "base-branch,tasks"]],
  ["run", []],
  ["run", ["--dry-run"]],
];

test.each(commands)(
  "`%s %s` refuses a task list whose branch is the base branch: exit 2",
  async (command, args) => {
    await using project = await createProject({ ...one, prd: { branchName: "main" } });
    const { exitCode, stdout, stderr } = await project.ralph(command, ...args);
    expect(stdout + stderr).toContain("committed to main, which is the base branch");
    expect(exitCode).toBe(2);
    expect(project.git("log", "--format=%s", "-1")).toBe("tasks");
  },
);

test.each(commands)("`%s %s` refuses a missing base branch: exit 14", async (command, args) => {
  await using project = await createProject({ ...one, config: { git: { base_branch: "trunk" } } });
  const { exitCode, stdout, stderr } = await project.ralph(command, ...args);
  expect(stdout + stderr).toContain("There is no branch trunk, which `git.base_branch` names.");
  expect(exitCode).toBe(14);
  expect(project.git("branch", "--show-current")).toBe("main");
});

test("a base branch that is only at the remote is enough", async () => {
  await using project = await createProject({ ...one, config: { git: { base_branch: "trunk" } } });
  project.git("update-ref", "refs/remotes/origin/trunk", "HEAD");
  expect((await project.run()).exitCode).toBe(0);
});
