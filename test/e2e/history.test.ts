import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampled } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import { branch, createProject, type Project } from "../support/project/project.ts";

/** What an implementation does to the repository around its honest work, without the sandbox. */
const rewrites: Record<string, string> = {
  "commits its work": "work; git add -A; git commit -qm mine; claim",
  "commits its work in many commits":
    "for i in 1 2 3; do echo $i >$i.txt; git add -A; git commit -qm $i; done; honest",
  "amends the commit before": "work; git add -A; git commit -q --amend -m mine; claim",
  "resets to an older commit": "git reset -q --hard HEAD~1; honest",
  "switches to another branch": "git switch -qc other; honest",
  "commits on another branch": "git switch -qc other; work; git add -A; git commit -qm mine; claim",
  "switches to the base branch": "git switch -q main; honest",
  "deletes the branch": `git switch -qc other; git branch -qD ${branch}; honest`,
  "moves the branch": `git update-ref refs/heads/${branch} HEAD~1; honest`,
  "makes the branch a symbolic one": `git symbolic-ref refs/heads/${branch} refs/heads/main; honest`,
  "detaches HEAD": "git checkout -q --detach; honest",
  "begins an orphan branch": "git checkout -q --orphan other; honest",
  "empties HEAD": "echo nothing >.git/HEAD; honest",
  "replaces HEAD by a link": "rm .git/HEAD; ln -s /etc/passwd .git/HEAD; honest",
  "removes the index": "rm .git/index; honest",
  "hides its edits from git status":
    "git update-index --assume-unchanged a.txt; echo b >a.txt; honest",
  "marks its edits as not to be looked at":
    "git update-index --skip-worktree a.txt; echo b >a.txt; honest",
  "breaks the index": "echo nothing >.git/index; honest",
  "leaves a lock on the index": "touch .git/index.lock; honest",
  "tags and branches": "git tag v9; git branch other; honest",
  "starts a merge":
    "git switch -qc other; work; git add -A; git commit -qm x; git switch -q -; echo y >src/T-001.txt; git add -A; git commit -qm y; git merge -q other; claim",
};

/** The branch holds exactly one new commit, on the start commit, and everything is in step with it. */
function expectInOrder(project: Project, start: string): void {
  expect(project.read(".git/HEAD")).toBe(`ref: refs/heads/${branch}\n`);
  expect(project.commits()).toEqual(["feat(T-001): Title of T-001"]);
  expect(project.git("rev-parse", "HEAD~1")).toBe(start);
  expect(project.git("rev-parse", "main")).toBe(start);
  expect(project.git("show", "HEAD:src/T-001.txt")).toContain("attempt 1");
}

test.for(sampled(Object.entries(rewrites), 5))(
  "an implementation that %s passes as one commit on the start",
  async (row) => {
    const [, implementation] = row;
    await using project = await createProject({
      tasks: [task("T-001")],
      agent: { implementation },
    });
    const { exitCode, state } = await project.run();
    expect(exitCode).toBe(0);
    if (existsSync(join(project.root, ".git/index.lock"))) project.git("rev-parse");
    else expect(project.git("status", "--porcelain")).toBe("");
    expectInOrder(project, state.session.start.commit);
  },
);

test("work that was stashed away is no work", async () => {
  const agent = { implementation: "work; git add -A; git stash -q; claim" };
  await using project = await createProject({ tasks: [task("T-001")], agent });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(3);
  expect(facts("iteration_failed").map(({ because }) => because)).toEqual(
    Array.from({ length: 3 }, () => "no_change"),
  );
});

test.for([
  ["removes .git", "rm -rf .git; honest"],
  ["locks the branch", `touch .git/refs/heads/${branch}.lock; honest`],
])("an implementation that %s stops the session with git's words: exit 14", async (row) => {
  const [, implementation = ""] = row;
  await using project = await createProject({ tasks: [task("T-001")], agent: { implementation } });
  const { exitCode, stderr, facts } = await project.run();
  expect(exitCode).toBe(14);
  expect(stderr).toMatch(/^Error: git .* failed: fatal: /);
  expect(stderr).toContain("ralph run --resume");
  expect(facts("task_committed")).toEqual([]);
});

const hookNames = [
  "applypatch-msg",
  "commit-msg",
  "fsmonitor-watchman",
  "post-checkout",
  "post-commit",
  "post-index-change",
  "post-merge",
  "post-rewrite",
  "pre-commit",
  "pre-push",
  "prepare-commit-msg",
  "reference-transaction",
];

/** Each plants something that git would run; every run of it leaves a file in `marks`. */
const plant = `
HOME=$(cd "$(dirname "$0")/../home" && pwd)
mkdir -p "$HOME/marks" "$HOME/planted"
for name in ${hookNames.join(" ")} config; do
  printf '#!/bin/sh\\ntouch "%s/marks/%s"\\ncat\\n' "$HOME" "$name" >"$HOME/planted/$name"
  chmod +x "$HOME/planted/$name"
  cp "$HOME/planted/$name" .git/hooks/
done
run="$HOME/planted/config"
git config core.fsmonitor "$run"
git config core.hooksPath "$HOME/planted"
git config core.sshCommand "$run"
git config core.pager "$run"
git config core.editor "$run"
git config gpg.program "$run"
git config commit.gpgSign true
git config diff.external "$run"
git config filter.evil.clean "$run"
git config filter.evil.smudge "$run"
git config filter.evil.process "$run"
git config alias.status "!$run"
git config core.attributesFile "$HOME/attributes"
git config --global filter.evil.clean "$run"
echo '* filter=evil diff=evil' >"$HOME/attributes"
echo '* filter=evil' >.git/info/attributes
rm -rf "$HOME/marks"; mkdir "$HOME/marks"
`;

test("nothing an agent plants for git ever runs (T41)", async () => {
  const tasks = [task("T-001"), task("T-002")];
  const agent = { implementation: `if [ "$task" = T-001 ]; then ${plant} fi; honest` };
  await using project = await createProject({ tasks, agent });
  const { exitCode } = await project.run();
  const marks = join(project.folder, "home/marks");
  expect(readdirSync(marks)).toEqual([]);
  expect(exitCode).toBe(0);
  // It is put back after the call, so the user's own git runs nothing of it either.
  const commit = () => project.git("commit", "-q", "--allow-empty", "--no-gpg-sign", "-m", "mine");
  commit();
  expect(readdirSync(marks)).toEqual([]);
  // Planted again by hand, it shows that the trap works.
  const env = { ...process.env, HOME: join(project.folder, "home") };
  execFileSync("sh", ["-c", plant, join(project.folder, "bin/agent")], { cwd: project.root, env });
  commit();
  expect(readdirSync(marks)).toContain("pre-commit");
});

test("a repository inside the repository is refused by name (T43)", async () => {
  const agent = {
    implementation: `git init -q vendor; (cd vendor && echo x >x && git add x && git commit -qm x); honest`,
  };
  await using project = await createProject({ tasks: [task("T-001")], agent });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("agent_end")[0]?.refused).toEqual(["vendor/"]);
  expect(existsSync(join(project.root, "vendor"))).toBe(false);
});
