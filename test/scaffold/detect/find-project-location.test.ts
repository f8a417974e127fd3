import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findProjectLocation } from "../../../src/scaffold/detect/find-project-location.ts";
import { createGitProject } from "../../support/project/git.ts";
import { createTestSystem } from "../../support/project/system.ts";

test("without a repository the folder itself is the project", async () => {
  await using system = await createTestSystem();
  expect(await findProjectLocation(system, system.root)).toEqual({
    root: system.root,
    worktree: undefined,
    prefix: "",
    above: [],
    baseBranch: "main",
    hasCommits: false,
  });
});

test("a repository without a commit is recognised", async () => {
  await using project = await createGitProject();
  expect((await findProjectLocation(project.system, project.root)).hasCommits).toBe(true);
  project.git("update-ref", "-d", "HEAD");
  expect((await findProjectLocation(project.system, project.root)).hasCommits).toBe(false);
});

test.each([
  ["src/deep", "", []],
  ["packages/a", "packages/a", ["packages", ""]],
  ["packages/a/src", "packages/a", ["packages", ""]],
])("from %s the project is %j", async (from, prefix, above) => {
  await using project = await createGitProject({
    "package.json": "{}",
    "yarn.lock": "",
    "src/deep/x": "",
    "packages/a/package.json": "{}",
    "packages/a/src/x": "",
  });
  const place = await findProjectLocation(project.system, join(project.root, from));
  expect(place).toMatchObject({ worktree: project.root, prefix });
  expect(place.root).toBe(join(project.root, prefix));
  expect(place.above.map(({ root }) => root)).toEqual(
    above.map((folder) => join(project.root, folder)),
  );
});

test("the base branch is the remote's default, else the current one", async () => {
  await using project = await createGitProject();
  project.git("switch", "-qc", "work");
  expect((await findProjectLocation(project.system, project.root)).baseBranch).toBe("work");
  project.git("update-ref", "refs/remotes/origin/develop", "HEAD");
  project.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/develop");
  expect((await findProjectLocation(project.system, project.root)).baseBranch).toBe("develop");
});

test("a detached HEAD has no name to offer", async () => {
  await using project = await createGitProject();
  project.git("switch", "-q", "--detach");
  expect((await findProjectLocation(project.system, project.root)).baseBranch).toBe("main");
});

test("a bare repository is refused: exit 14", async () => {
  await using project = await createGitProject();
  const bare = join(project.folder, "bare");
  mkdirSync(bare);
  project.gitIn(bare, "init", "-q", "--bare");
  await expect(findProjectLocation(project.system, bare)).rejects.toMatchObject({ exitCode: 14 });
});
