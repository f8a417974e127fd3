import { expect, test } from "vitest";
import {
  type CommitContents,
  commitWork,
  createCommit,
  publishCommit,
} from "../../../src/git/commits/commit.ts";
import { readStartPoint, type StartPoint } from "../../../src/git/commits/start-point.ts";
import type { Repository } from "../../../src/git/repository/repository.ts";
import { changesSince } from "../../../src/git/worktree/changes.ts";
import { stageChanges } from "../../../src/git/worktree/stage.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

const date = "2026-01-25T14:30:52.123Z";

async function passTask(
  project: GitProject,
): Promise<{ repo: Repository; start: StartPoint; work: CommitContents }> {
  const repo = await project.open();
  const start = await readStartPoint(repo);
  project.write("src/new.ts", "work");
  const { changes } = await changesSince(repo, start);
  const tree = await stageChanges(repo, { tree: start.tree, changes });
  project.write(".ralph/prd.json", "{}");
  const work = { tree, parent: start.commit, paths: [".ralph/prd.json"], date };
  return { repo, start, work: { ...work, message: "feat(T-001): new\n\nRalph-Task: T-001\n" } };
}

test("a commit holds the proved tree and the named paths, nothing else of the work tree", async () => {
  await using project = await createGitProject();
  const { repo, start, work } = await passTask(project);
  project.write("unproved.ts", "");
  project.write("src/new.ts", "changed after the proof");
  await commitWork(repo, { ...work, branch: start.branch });
  expect(project.git("show", "--format=", "--name-status", "main")).toBe(
    "A\t.ralph/prd.json\nA\tsrc/new.ts",
  );
  expect(project.git("show", "main:src/new.ts")).toBe("work");
});

test("author, committer, date and message are exactly those given", async () => {
  await using project = await createGitProject();
  const { repo, start, work } = await passTask(project);
  const { commit } = await commitWork(repo, { ...work, branch: start.branch });
  expect(project.git("cat-file", "commit", commit).split("\n").slice(2)).toEqual([
    "author Ada <ada@example.org> 1769351452 +0000",
    "committer Ada <ada@example.org> 1769351452 +0000",
    "",
    "feat(T-001): new",
    "",
    "Ralph-Task: T-001",
  ]);
});

test("repeating any step after a crash gives the same id and ends in the same place (F01)", async () => {
  await using project = await createGitProject();
  const { repo, start, work } = await passTask(project);
  const { commit } = await createCommit(repo, work);
  expect((await createCommit(repo, work)).commit).toBe(commit);
  const move = { branch: start.branch, parent: start.commit, commit };
  await publishCommit(repo, move);
  const reopened = await project.open({ branch: "main" });
  expect((await createCommit(reopened, work)).commit).toBe(commit);
  await publishCommit(reopened, move);
  expect(project.git("rev-list", "--count", "main")).toBe("2");
});

test("the tree is made from the given tree, whatever the index held", async () => {
  await using project = await createGitProject();
  const { repo, work } = await passTask(project);
  const made = await createCommit(repo, work);
  await stageChanges(repo, { tree: "", changes: [{ path: "a.txt", kind: "deleted" }] });
  expect(await createCommit(repo, work)).toEqual(made);
});

test("a branch a human moved is refused with exit 14, and not moved", async () => {
  await using project = await createGitProject();
  const { repo, start, work } = await passTask(project);
  project.git("commit", "-q", "--allow-empty", "-m", "human");
  const human = project.git("rev-parse", "main");
  await expect(commitWork(repo, { ...work, branch: start.branch })).rejects.toMatchObject({
    exitCode: 14,
    message: expect.stringContaining(human),
  });
  expect(project.git("rev-parse", "main")).toBe(human);
});

test("new files of ralph become a commit of their own", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  const start = await readStartPoint(repo);
  project.write(".ralph/prd.json", "{}");
  project.write("AGENTS.md", "# Agents\n");
  const paths = [".ralph/prd.json", "AGENTS.md"];
  const { branch, commit: parent, tree } = start;
  await commitWork(repo, { branch, parent, tree, paths, message: "chore: ralph\n", date });
  expect(project.git("log", "-1", "--format=%s", "--name-only")).toBe(
    "chore: ralph\n\n.ralph/prd.json\nAGENTS.md",
  );
});

test("the objects of a commit are whole", async () => {
  await using project = await createGitProject();
  const { repo, start, work } = await passTask(project);
  await commitWork(repo, { ...work, branch: start.branch });
  expect(project.git("fsck", "--strict", "--no-dangling")).toBe("");
});

test("without a configured user the commit is by ralph", async () => {
  await using project = await createGitProject();
  project.write("../home/.gitconfig", "");
  const { repo, start, work } = await passTask(project);
  await commitWork(repo, { ...work, branch: start.branch });
  expect(project.git("log", "-1", "--format=%an <%ae> %cn <%ce>")).toBe(
    "ralph <ralph@users.noreply.github.com> ralph <ralph@users.noreply.github.com>",
  );
});
