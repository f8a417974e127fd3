import { expect, test } from "vitest";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";

test("the work of a failed task is kept as a tree that is named, and the work tree is put back", async () => {
  const config = { limits: { max_iterations: 1 } };
  await using project = await createProject({
    config,
    agent: { review: "signal review-rejected" },
  });
  const { exitCode, facts, stdout } = await project.run();
  expect(exitCode).toBe(3);
  const [failed] = facts("task_failed");
  const kept = failed?.kept ?? "none";
  expect(project.git("show", `${kept}:src/T-001.txt`)).toBe("attempt 1");
  expect(stdout).toContain(kept.slice(0, 12));
  project.git("gc", "-q", "--prune=now");
  expect(project.git("cat-file", "-t", kept)).toBe("tree");
  expect(project.git("status", "--porcelain")).toBe("");
  expect(project.git("ls-files", "src")).toBe("");
});

test("a task without any work keeps nothing", async () => {
  await using project = await createProject({ tasks: [task("T-001")], agent: "claim" });
  const { facts } = await project.run();
  expect(facts("task_blocked")[0]).not.toHaveProperty("kept");
});
