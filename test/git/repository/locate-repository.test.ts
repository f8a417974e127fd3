import { expect, test } from "vitest";
import { locateRepository, nameFault } from "../../../src/git/repository/locate-repository.ts";
import { createGitProject } from "../../support/project/git.ts";

test.each([
  [127, "", "no-git"],
  [128, "fatal: detected dubious ownership in repository at '/x'", "unowned"],
  [128, "fatal: unknown repository extension found:\n\trefstorage", "reftable"],
  [128, "fatal: not a git repository (or any of the parent directories): .git", "not-a-repository"],
])("exit code %i with %j is %s", (exitCode, stderr, fault) => {
  expect(nameFault({ exitCode, stderr })).toBe(fault);
});

test("a GIT_DIR in the environment does not point us elsewhere", async () => {
  await using project = await createGitProject();
  await using other = await createGitProject();
  const env = { ...project.system.env, GIT_DIR: `${other.root}/.git`, GIT_WORK_TREE: other.root };
  const paths = await locateRepository({ ...project.system, env }, project.root);
  expect(paths.worktree).toBe(project.root);
});

test("git is asked once for a folder; a folder that was no repository is asked about again", async () => {
  await using project = await createGitProject();
  const asked: string[] = [];
  const ask: typeof project.system.ask = (command) => {
    asked.push(command.cwd);
    return project.system.ask(command);
  };
  const system = { ...project.system, ask };
  const outside = project.stateDir;
  const twice = [project.root, project.root, outside, outside];
  for (const folder of twice) await locateRepository(system, folder).catch(() => {});
  expect(asked).toEqual([project.root, outside, outside]);
});
