import { expect, test } from "vitest";
import { moveBranch, readBranch } from "../../../src/git/commits/move-branch.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

async function twoCommits(project: GitProject) {
  const first = project.git("rev-parse", "HEAD");
  project.git("commit", "-q", "--allow-empty", "-m", "second");
  const second = project.git("rev-parse", "HEAD");
  project.git("reset", "-q", "--hard", first);
  return { first, second, repo: await project.open() };
}

test("a branch moves from where it is expected, and repeating it is no failure", async () => {
  await using project = await createGitProject();
  const { repo, first, second } = await twoCommits(project);
  const move = { branch: "main", from: first, to: second };
  expect(await moveBranch(repo, move)).toEqual({ kind: "moved" });
  expect(await moveBranch(repo, move)).toEqual({ kind: "moved" });
  expect(project.git("rev-parse", "main")).toBe(second);
});

test("a branch someone else moved stays where it is (F53)", async () => {
  await using project = await createGitProject();
  const { repo, first, second } = await twoCommits(project);
  project.git("commit", "-q", "--allow-empty", "-m", "human");
  const human = project.git("rev-parse", "HEAD");
  const result = await moveBranch(repo, { branch: "main", from: first, to: second });
  expect(result).toEqual({ kind: "refused", tip: human });
  expect(project.git("rev-parse", "main")).toBe(human);
});

test("a new branch is made only where there is no such branch", async () => {
  await using project = await createGitProject();
  const { repo, first, second } = await twoCommits(project);
  const made = await moveBranch(repo, { branch: "new", from: undefined, to: first });
  const again = await moveBranch(repo, { branch: "new", from: undefined, to: second });
  expect([made, again]).toEqual([{ kind: "moved" }, { kind: "refused", tip: first }]);
});

test("a branch deleted at the same moment is recognized", async () => {
  await using project = await createGitProject();
  const { repo, first, second } = await twoCommits(project);
  const result = await moveBranch(repo, { branch: "gone", from: first, to: second });
  expect(result).toEqual({ kind: "refused", tip: undefined });
});

test("a symbolic ref does not lead to another branch", async () => {
  await using project = await createGitProject();
  const { repo, first, second } = await twoCommits(project);
  project.git("branch", "victim");
  project.git("symbolic-ref", "refs/heads/trap", "refs/heads/victim");
  await moveBranch(repo, { branch: "trap", from: first, to: second });
  expect(await readBranch(repo, "victim")).toBe(first);
});

test("a branch whose ref is locked is exit 14 and names the lock", async () => {
  await using project = await createGitProject();
  const { repo, first, second } = await twoCommits(project);
  project.write(".git/refs/heads/main.lock", "");
  await expect(moveBranch(repo, { branch: "main", from: first, to: second })).rejects.toMatchObject(
    {
      exitCode: 14,
      message: expect.stringContaining("main.lock"),
    },
  );
});
