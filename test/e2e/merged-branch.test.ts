import { expect, test } from "vitest";
import { task } from "../support/builders/session.ts";
import { createProject } from "../support/project/project.ts";

test("after a squash merge a new run on the base branch works on the next name", async () => {
  await using project = await createProject({ tasks: [task("T-001")] });
  const { git } = project;
  expect((await project.run()).exitCode).toBe(0);
  git("switch", "-q", "main");
  git("merge", "-q", "--squash", "ralph/example");
  const list = JSON.parse(project.read(".ralph/prd.json"));
  list.tasks.push(task("T-002"));
  project.write(".ralph/prd.json", `${JSON.stringify(list, null, 2)}\n`);
  git("add", "-A");
  git("commit", "-qm", "feat: all of it");
  const second = await project.run();
  expect(second.exitCode, second.stderr).toBe(0);
  expect(second.state.session.branch).toBe("ralph/example-2");
  expect(git("branch", "--show-current")).toBe("ralph/example-2");
});

test("a branch with unmerged work is not passed over", async () => {
  await using project = await createProject({ tasks: [task("T-001")] });
  const { git } = project;
  await project.run();
  git("switch", "-q", "main");
  git("commit", "-q", "--allow-empty", "-m", "elsewhere");
  const second = await project.ralph("run");
  expect(second.exitCode).toBe(14);
  expect(second.stderr).toContain("ralph/example exists and has commits");
});
