import { chmodSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitWork } from "../../../src/git/commits/commit.ts";
import { restoreHead } from "../../../src/git/commits/move-branch.ts";
import { readStartPoint } from "../../../src/git/commits/start-point.ts";
import { switchToBranch } from "../../../src/git/commits/switch-branch.ts";
import { diffTrees } from "../../../src/git/trees/diff-trees.ts";
import { changesSince } from "../../../src/git/worktree/changes.ts";
import { resetTo } from "../../../src/git/worktree/reset.ts";
import { restorePaths } from "../../../src/git/worktree/restore.ts";
import { stageChanges } from "../../../src/git/worktree/stage.ts";
import { syncUserIndex } from "../../../src/git/worktree/sync-user-index.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

const hooks = [
  "pre-commit",
  "prepare-commit-msg",
  "commit-msg",
  "post-commit",
  "post-checkout",
  "post-index-change",
  "reference-transaction",
  "pre-push",
  "pre-auto-gc",
  "fsmonitor-watchman",
];

/** What an agent can write into `.git`; each of these leaves a marker file when git runs it (T41). */
function plant(project: GitProject): void {
  const marker = (name: string) => `#!/bin/sh\ntouch "${project.folder}/marker-${name}"\ncat\n`;
  for (const hook of hooks) {
    project.write(`.git/hooks/${hook}`, marker(hook));
    chmodSync(join(project.root, ".git/hooks", hook), 0o755);
  }
  const run = `touch ${project.folder}/marker-`;
  project.write(
    ".git/config",
    `[core]
	repositoryformatversion = 0
	fsmonitor = "${run}fsmonitor;false"
	sshCommand = ${run}ssh
	pager = ${run}pager
	editor = ${run}editor
[filter "evil"]
	clean = "${run}clean;cat"
	smudge = "${run}smudge;cat"
[diff "evil"]
	textconv = ${run}textconv
	command = ${run}diff
[url "https://evil.invalid/"]
	insteadOf = https://
[alias]
	status = !${run}alias
[credential]
	helper = !${run}credential
[gc]
	auto = 1
`,
  );
  project.write(".git/info/attributes", "* filter=evil diff=evil\n");
  project.write(".git/info/exclude", "*\n");
}

const markers = (project: GitProject) =>
  readdirSync(project.folder).filter((name) => name.startsWith("marker-"));

test("the fixture bites: the user's git runs what was planted", async () => {
  await using project = await createGitProject();
  plant(project);
  project.write("a.txt", "changed");
  project.git("status", "--porcelain");
  project.git("add", "-u");
  expect(markers(project).length).toBeGreaterThan(0);
});

test("nothing planted in .git runs or redirects us during a whole task (T41)", async () => {
  await using project = await createGitProject({ "b.txt": "b" });
  const repo = await project.open();
  const start = await readStartPoint(repo);
  plant(project);
  project.write("a.txt", "work");
  project.write("b.txt", "refused");
  project.write("new.txt", "new");
  const at = await switchToBranch(repo, "ralph/x");
  const { changes } = await changesSince(repo, at);
  expect(changes.map(({ path }) => path)).toEqual(["a.txt", "b.txt", "new.txt"]);
  await restorePaths(
    repo,
    changes.filter(({ path }) => path === "b.txt"),
  );
  const rest = (await changesSince(repo, at)).changes;
  const tree = await stageChanges(repo, { tree: start.tree, changes: rest });
  await diffTrees(repo, { from: start.tree, to: tree, maxBytes: 1e6 });
  await restoreHead(repo, at);
  const date = "2026-01-25T14:30:52Z";
  const work = { tree, parent: at.commit, paths: ["a.txt"], message: "x", date };
  const head = await commitWork(repo, { ...work, branch: at.branch });
  await syncUserIndex(repo);
  await resetTo(repo, start.tree);
  const again = await project.open({ branch: "ralph/x" });
  await changesSince(again, head);
  expect(markers(project)).toEqual([]);
});

test("a replaced object is not believed", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  const start = await readStartPoint(repo);
  project.write("../evil", "evil\n");
  const evil = project.git("hash-object", "-w", join(project.folder, "evil"));
  project.git("replace", project.git("rev-parse", "HEAD:a.txt"), evil);
  project.write("a.txt", "");
  await restorePaths(repo, [{ path: "a.txt", kind: "modified" }]);
  expect(project.read("a.txt")).toBe("a\n");
  expect((await changesSince(repo, start)).changes).toEqual([]);
});

test("opening runs nothing either, not even in a repository that was hostile before", async () => {
  await using project = await createGitProject();
  plant(project);
  await project.open();
  expect(markers(project)).toEqual([]);
  expect(existsSync(join(project.stateDir, "git/hooks"))).toBe(false);
});
