import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { baseBranchCheck } from "../../../src/scan/checks/configuration.ts";
import { git } from "../../../src/scan/checks/machine.ts";
import { repository } from "../../../src/scan/checks/repository.ts";
import { workTree } from "../../../src/scan/checks/work-tree.ts";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";
import { runCheck } from "./run-check.ts";

const one = { tasks: [task("T-001")] };

test("git is shown with version and path", async () => {
  await using project = await createProject(one);
  const found = await runCheck(project, git);
  expect(found).toMatchObject({ status: "pass", version: expect.stringMatching(/^\d+\.\d+/) });
  expect(found.path).toMatch(/\/git$/);
});

test("a git that is missing is an error with the way to get it", async () => {
  await using project = await createProject(one);
  mkdirSync(join(project.folder, "empty"));
  const env = { PATH: join(project.folder, "empty") };
  const found = await runCheck(project, git, { env });
  expect(found).toMatchObject({ status: "error", fixes: [{ install: "git" }] });
  expect(found.message).toBe("`git` is not on PATH.");
  expect(await runCheck(project, repository, { env })).toMatchObject({
    status: "skipped",
    message: "needs git 2.34 or newer",
  });
});

test("a repository in which a run can start is shown with branch and commit", async () => {
  await using project = await createProject(one);
  const commit = project.git("rev-parse", "HEAD").slice(0, 12);
  expect(await runCheck(project, repository)).toMatchObject({
    status: "pass",
    message: `branch main at ${commit}`,
  });
});

test.each<[string, (root: string, git: (...args: string[]) => string) => void, RegExp]>([
  ["no repository", (root) => rmSync(join(root, ".git"), { recursive: true }), /not in a git repo/],
  ["a detached HEAD", (_, git) => git("checkout", "-q", "--detach"), /HEAD is detached/],
  ["no commit", (_, git) => git("switch", "-q", "--orphan", "new"), /has no commit yet/],
])("%s is an error, and what needs a repository is skipped", async (_, arrange, says) => {
  await using project = await createProject(one);
  arrange(project.root, project.git);
  const found = await runCheck(project, repository);
  expect(found).toMatchObject({ status: "error", message: expect.stringMatching(says) });
  expect(found.remedy).toBeTruthy();
  expect(await runCheck(project, workTree)).toMatchObject({ status: "skipped" });
});

test("a shallow clone is a warning", async () => {
  await using project = await createProject(one);
  project.gitIn(project.folder, "clone", "-q", "--depth", "1", `file://${project.root}`, "shallow");
  const found = await runCheck({ ...project, root: join(project.folder, "shallow") }, repository);
  expect(found).toMatchObject({ status: "warning", fixes: [{ command: "git fetch --unshallow" }] });
});

test("a clean work tree passes, and so do ralph's new files, but not in CI", async () => {
  await using project = await createProject(one);
  expect(await runCheck(project, workTree)).toMatchObject({ status: "pass", message: "clean" });
  project.write("AGENTS.md", "# Agents\n");
  expect(await runCheck(project, workTree)).toMatchObject({
    status: "pass",
    message: expect.stringContaining("AGENTS.md"),
  });
  const found = await runCheck(project, workTree, { env: { CI: "true" } });
  expect(found.status).toBe("warning");
});

test("changes are named, at most ten", async () => {
  await using project = await createProject(one);
  for (let at = 0; at < 12; at++) project.write(`new/${at}.txt`, "x");
  const { status, message } = await runCheck(project, workTree);
  expect(status).toBe("warning");
  expect(message).toMatch(/\n {2}new\/0\.txt\n[\s\S]*\n {2}and 2 more$/);
});

test("a task list git ignores is an error: a run reads it from the commit", async () => {
  await using project = await createProject({ ...one, files: { ".gitignore": "prd.json\n" } });
  const found = await runCheck(project, workTree);
  expect(found).toMatchObject({ status: "error", path: ".ralph/prd.json" });
});

test("a base branch that is nowhere is an error; one of the remote is enough", async () => {
  await using project = await createProject({ ...one, config: { git: { base_branch: "trunk" } } });
  expect(await runCheck(project, baseBranchCheck)).toMatchObject({
    status: "error",
    message: "There is no branch trunk, which `git.base_branch` names.",
  });
  project.git("update-ref", "refs/remotes/origin/trunk", "HEAD");
  expect(await runCheck(project, baseBranchCheck)).toMatchObject({ status: "pass" });
});
