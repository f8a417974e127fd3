import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { moveBranch, readBranch, restoreHead } from "../../../src/git/commits/move-branch.ts";
import { readStartPoint } from "../../../src/git/commits/start-point.ts";
import { changesSince } from "../../../src/git/worktree/changes.ts";
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

const behaviours: [string, (project: GitProject) => void][] = [
  ["commits", (project) => void project.git("commit", "-qam", "mine")],
  ["amends", (project) => void project.git("commit", "-q", "--amend", "-am", "mine")],
  ["commits on a branch of its own", ownBranch],
  ["detaches HEAD", (project) => void project.git("checkout", "-q", "--detach")],
  ["renames the branch", (project) => void project.git("branch", "-m", "renamed")],
  ["deletes the branch", (project) => void project.git("update-ref", "-d", "refs/heads/main")],
  ["replaces HEAD by a link", linkHead],
  ["writes nonsense into HEAD", (project) => project.write(".git/HEAD", "nonsense")],
];

test.each(behaviours)("work of an agent that %s folds into the task", async (_, behave) => {
  await using project = await createGitProject();
  const repo = await project.open();
  const start = await readStartPoint(repo);
  project.write("a.txt", "work");
  behave(project);
  expect((await changesSince(repo, start)).headMoved).toBe(true);
  await restoreHead(repo, start);
  expect(await changesSince(repo, start)).toMatchObject({
    headMoved: false,
    changes: [{ path: "a.txt", kind: "modified" }],
  });
  expect(project.git("rev-parse", "HEAD")).toBe(start.commit);
  expect(project.git("branch", "--show-current")).toBe("main");
  expect(project.read("a.txt")).toBe("work");
});

test("an agent's `reset --hard` leaves nothing to fold in, and nothing broken", async () => {
  await using project = await createGitProject();
  project.write("a.txt", "second");
  project.git("commit", "-qam", "second");
  const repo = await project.open();
  const start = await readStartPoint(repo);
  project.git("reset", "-q", "--hard", "HEAD~1");
  await restoreHead(repo, start);
  expect(await changesSince(repo, start)).toMatchObject({
    headMoved: false,
    changes: [{ path: "a.txt", kind: "modified" }],
  });
});

function ownBranch(project: GitProject): void {
  project.git("switch", "-q", "-c", "mine");
  project.git("commit", "-qam", "mine");
}

function linkHead(project: GitProject): void {
  const head = join(project.root, ".git/HEAD");
  rmSync(head);
  symlinkSync("refs/heads/main", head);
}
