import { RalphError } from "../../error.ts";
import { moveBranch, readBranch } from "../../git/commits/move-branch.ts";
import { type DirtyPath, dirtyPaths, readStartPoint } from "../../git/commits/start-point.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { askGit, readGitLine, runGit } from "../../git/repository/run-git.ts";
import { writeUserHead } from "../../git/repository/user-head.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { splitRecords, toProjectPath } from "../../git/trees/tree-path.ts";
import { resetTo } from "../../git/worktree/reset.ts";
import { readStatus } from "../../git/worktree/status.ts";
import { syncUserIndex } from "../../git/worktree/sync-user-index.ts";
import type { Git } from "../../schema/config/publishing.ts";
import { missingBase } from "../../session/open/require-branches.ts";
import { plainLine } from "../../text/plain-text.ts";
import { runsFolder } from "../reports/past-work.ts";
import type { AutopilotRun } from "./autopilot-run.ts";

/** The commit every run starts from: the base branch here, else on the remote. */
export async function readBase(repo: Repository, git: Git): Promise<string> {
  const { base_branch, remote } = git;
  for (const ref of [`refs/heads/${base_branch}`, `refs/remotes/${remote}/${base_branch}`]) {
    const args = ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`];
    const { exitCode, stdout } = await askGit(repo, args);
    if (exitCode === 0) return stdout.toString().trim();
  }
  throw missingBase(git);
}

/** Names of local and remote branches, without `refs/heads/` or the remote's name. */
export async function takenBranches(repo: Repository): Promise<string[]> {
  const args = ["for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes"];
  const refs = (await readGitLine(repo, args)).split("\n").filter(Boolean);
  return refs.map((ref) => ref.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, ""));
}

/** A branch requested by name must be a new one (exit 14): an existing branch is never overwritten. */
export async function requireNew(repo: Repository, branch: string): Promise<void> {
  if (!(await takenBranches(repo)).includes(branch)) return;
  throw new RalphError("git", {
    message: `The branch ${branch} already exists.`,
    remedy: "Name another branch with `--branch`, or omit that option.",
  });
}

/** Refuses uncommitted work (exit 14), except for the files the run itself was about to commit. */
export async function requireClean(repo: Repository, own: readonly string[] = []): Promise<void> {
  const { ours, others } = await dirtyPaths(repo);
  const untracked = ours.map((path): DirtyPath => ({ path, state: "untracked" }));
  const dirt = [...others, ...untracked].filter(({ path }) => !own.includes(path));
  if (dirt.length === 0) return;
  const shown = dirt.slice(0, 20).map(({ path, state }) => `  ${plainLine(path, 300)} (${state})`);
  const more = dirt.length > shown.length ? [`  and ${dirt.length - shown.length} more`] : [];
  throw new RalphError("git", {
    message: ["The work tree is not clean:", ...shown, ...more].join("\n"),
    remedy: "Commit your changes, or stash them with `git stash -u`, then run again.",
  });
}

/** Checks out the run's branch in a clean work tree; a missing branch is made at `base`. */
export async function goToBranch(
  repo: Repository,
  { branch, base }: { branch: string; base: string },
): Promise<void> {
  const start = await readStartPoint(repo);
  if (start.branch === branch) return;
  const tip = (await readBranch(repo, branch)) ?? (await makeBranch(repo, branch, base));
  if (tip !== start.commit) {
    if (repo.usesFilters) {
      throw new RalphError("git", {
        message: `This repository uses a filter such as git-lfs, and ${start.branch} is not the branch the run starts from.`,
        remedy: "Run `git switch` to the base branch, then run again.",
      });
    }
    await removeShownRecords(repo, tip);
    // Two trees: a local change in the way makes git stop before anything is touched.
    await runGit(repo, ["read-tree", "-m", "-u", start.commit, tip]);
    // HEAD comes last: until it moves, `undoMove` can undo a killed checkout.
    await syncUserIndex(repo);
  }
  await writeUserHead(repo, branch);
  await repo.system.files(repo.privateDir).write("HEAD", `ref: refs/heads/${branch}\n`);
}

async function makeBranch(repo: Repository, branch: string, base: string): Promise<string> {
  const made = await moveBranch(repo, { branch, from: undefined, to: base });
  if (made.kind === "moved") return base;
  throw new RalphError("git", {
    message: `Another process has just made the branch ${branch}.`,
    remedy: "Run again.",
  });
}

/** Removes shown records that the commit holds: untracked, they would block the checkout. */
async function removeShownRecords(repo: Repository, commit: string): Promise<void> {
  const args = ["ls-tree", "-r", "-z", "--name-only", commit, `${repo.prefix}${runsFolder}/`];
  const tracked = (await runGit(repo, args)).toString().split("\0").filter(Boolean);
  const here = await runGit(repo, ["ls-files", "-z", "--", `${repo.prefix}${runsFolder}/`]);
  const known = new Set(here.toString().split("\0"));
  const files = repo.system.files(repo.worktree);
  for (const path of tracked.filter((each) => !known.has(each))) await files.remove(path);
}

/**
 * Undoes a checkout of the run's branch that a kill interrupted: the tree holds files of that branch, and HEAD is still
 * on the old one. Where anything else has changed, nothing is touched, so that no person's work is lost.
 */
export async function undoMove(
  repo: Repository,
  { branch, base }: Pick<AutopilotRun, "branch" | "base">,
): Promise<void> {
  if (branch === undefined) return;
  const { branch: here, commit: from, tree } = await readStartPoint(repo);
  const to = (await readBranch(repo, branch)) ?? base;
  if (here === branch || from === to) return;
  const { records } = await readStatus(repo);
  if (records.length === 0) return;
  const answer = await runGit(repo, ["diff-tree", "-r", "-z", "--name-only", from, to]);
  const moved = new Set(splitRecords(answer));
  for (const { path } of records) {
    if (!moved.has(path) || !(await isBetween(repo, path, { from, to }))) return;
  }
  await resetTo(repo, tree);
}

/** Whether a file is as one of the two commits has it, missing, or half-written. */
async function isBetween(
  repo: Repository,
  path: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const files = repo.system.files(repo.worktree);
  const stat = await files.stat(path);
  if (!stat) return true;
  if (stat.kind !== "file") return false;
  const inProject = toProjectPath(repo.prefix, path);
  const [before, after] = await Promise.all(
    [from, to].map((treeish) => readBlob(repo, { treeish, path: inProject })),
  );
  const longest = Math.max(before?.length ?? 0, after?.length ?? 0);
  if (stat.bytes > longest) return false;
  const content = (await files.read(path)) ?? Buffer.alloc(0);
  return before?.equals(content) || after?.subarray(0, content.length).equals(content) || false;
}
