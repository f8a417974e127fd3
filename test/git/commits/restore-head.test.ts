import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { restoreHead } from "../../../src/git/commits/move-branch.ts";
import { readStartPoint } from "../../../src/git/commits/start-point.ts";
import { changesSince } from "../../../src/git/worktree/changes.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

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
