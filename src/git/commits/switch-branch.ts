import { join } from "node:path/posix";
import { RalphError } from "../../error.ts";
import type { BranchPosition, Repository } from "../repository/repository.ts";
import { runGit } from "../repository/run-git.ts";
import { readUserBranch, writeUserHead } from "../repository/user-head.ts";
import { isAncestor } from "../trees/objects.ts";
import { splitRecords, toProjectPath } from "../trees/tree-path.ts";
import { filteredPaths } from "../worktree/filtered-paths.ts";
import { syncUserIndex } from "../worktree/sync-user-index.ts";
import { branchNameProblem } from "./branch-name.ts";
import { moveBranch } from "./move-branch.ts";
import { readStartPoint } from "./start-point.ts";

/**
 * Switches to a branch from a clean work tree: a new one at HEAD, one that contains HEAD, or one that HEAD contains,
 * which then fast-forwards to it. A diverged branch is refused. No hook runs; the user's HEAD follows. `at`: where HEAD is,
 * if that was just read.
 */
export async function switchToBranch(
  repo: Repository,
  branch: string,
  at?: BranchPosition,
): Promise<BranchPosition> {
  requireName(branch);
  const start = at ?? (await readStartPoint(repo));
  if (start.branch === branch) return { branch, commit: start.commit };
  await requireFree(repo, branch);
  const commit = await chooseCommit(repo, { branch, head: start.commit });
  if (commit !== start.commit) {
    await requireUnfiltered(repo, { branch, from: start.commit, to: commit });
    // Two trees: git stops at a conflicting local change before it changes anything.
    await runGit(repo, ["read-tree", "-m", "-u", start.commit, commit]);
  }
  await writeUserHead(repo, branch);
  await repo.system.files(repo.privateDir).write("HEAD", `ref: refs/heads/${branch}\n`);
  if (commit !== start.commit) await syncUserIndex(repo);
  return { branch, commit };
}

function requireName(branch: string): void {
  const problem = branchNameProblem(branch);
  if (problem === undefined) return;
  throw new RalphError("git", {
    message: `${JSON.stringify(branch)} cannot be a branch name: it ${problem}.`,
    remedy: "Change `branchName` in the task list, for example to `ralph/add-login`.",
  });
}

async function chooseCommit(repo: Repository, { branch, head }: { branch: string; head: string }) {
  const made = await moveBranch(repo, { branch, from: undefined, to: head });
  if (made.kind === "moved") return head;
  const { tip } = made;
  if (tip !== undefined && (await isAncestor(repo, head, tip))) return tip;
  if (tip !== undefined && !(await isAncestor(repo, tip, head))) throw diverged(branch);
  const result = await moveBranch(repo, { branch, from: tip, to: head });
  if (result.kind === "refused") throw diverged(branch);
  return head;
}

function diverged(branch: string): RalphError {
  return new RalphError("git", {
    message: `The branch ${branch} exists and has commits the current branch does not share.`,
    remedy: `Run \`git switch ${branch}\` and bring it up to date, or choose another \`branchName\`.`,
  });
}

/** Moving a branch that another work tree has checked out would change it under its files. */
async function requireFree(repo: Repository, branch: string): Promise<void> {
  const names = await repo.system.files(repo.commonDir).list("worktrees");
  const folders = [repo.commonDir, ...names.map((name) => join(repo.commonDir, "worktrees", name))];
  for (const folder of folders.filter((path) => path !== repo.gitDir)) {
    if ((await readUserBranch(repo.system.files(folder))) !== branch) continue;
    throw new RalphError("git", {
      message: `The branch ${branch} is checked out in another work tree (${folder}).`,
      remedy: "Work there, remove that work tree, or choose another `branchName`.",
    });
  }
}

/** No filter runs here: such a file would be written as git stores it, for example as a pointer. */
async function requireUnfiltered(
  repo: Repository,
  { branch, from, to }: { branch: string; from: string; to: string },
): Promise<void> {
  if (!repo.usesFilters) return;
  const answer = await runGit(repo, ["diff-tree", "-r", "-z", "--name-only", from, to]);
  const paths = splitRecords(answer).map((path) => toProjectPath(repo.prefix, path));
  const [first] = (await filteredPaths(repo, paths)).keys();
  if (first === undefined) return;
  throw new RalphError("git", {
    message: `The branch ${branch} has another ${first}, which is behind a filter such as git-lfs.`,
    remedy: `Run \`git switch ${branch}\`, then run again.`,
  });
}
