import { RalphError } from "../../error.ts";
import { moveBranch, readBranch } from "../../git/commits/move-branch.ts";
import { type DirtyPath, dirtyPaths, readStartPoint } from "../../git/commits/start-point.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { askGit, readGitLine, runGit } from "../../git/repository/run-git.ts";
import { writeUserHead } from "../../git/repository/user-head.ts";
import { syncUserIndex } from "../../git/worktree/sync-user-index.ts";
import type { Git } from "../../schema/config/publishing.ts";
import { plainLine } from "../../text/plain-text.ts";
import { runsFolder } from "../reports/processed-reports.ts";

/** The commit every run starts from: the base branch here, else on the remote. */
export async function readBase(repo: Repository, { base_branch, remote }: Git): Promise<string> {
  for (const ref of [`refs/heads/${base_branch}`, `refs/remotes/${remote}/${base_branch}`]) {
    const args = ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`];
    const { exitCode, stdout } = await askGit(repo, args);
    if (exitCode === 0) return stdout.toString().trim();
  }
  throw new RalphError("git", {
    message: `There is no branch ${base_branch}, which \`git.base_branch\` names.`,
    remedy: `Fetch it with \`git fetch ${remote} ${base_branch}:${base_branch}\`, or correct \`git.base_branch\`.`,
  });
}

/** Names of branches here and on remotes, without what stands before them. */
export async function takenBranches(repo: Repository): Promise<string[]> {
  const args = ["for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes"];
  const refs = (await readGitLine(repo, args)).split("\n").filter(Boolean);
  return refs.map((ref) => ref.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, ""));
}

/** A branch somebody asks for by name must be a new one (exit 14): nothing of it is ever written over. */
export async function requireNew(repo: Repository, branch: string): Promise<void> {
  if (!(await takenBranches(repo)).includes(branch)) return;
  throw new RalphError("git", {
    message: `The branch ${branch} exists already.`,
    remedy: "Name another one with `--branch`, or leave that out.",
  });
}

/** Work that is not committed stands in the way (exit 14), but for files a run of ours was about to commit. */
export async function requireClean(repo: Repository, own: readonly string[] = []): Promise<void> {
  const { ours, others } = await dirtyPaths(repo);
  const dirt: DirtyPath[] = [
    ...others,
    ...ours.map((path): DirtyPath => ({ path, state: "untracked" })),
  ].filter(({ path }) => !own.includes(path));
  if (dirt.length === 0) return;
  const shown = dirt.slice(0, 20).map(({ path, state }) => `  ${plainLine(path, 300)} (${state})`);
  const more = dirt.length > shown.length ? [`  and ${dirt.length - shown.length} more`] : [];
  throw new RalphError("git", {
    message: ["The work tree is not clean:", ...shown, ...more].join("\n"),
    remedy: "Commit it, or put it aside with `git stash -u`, then run again.",
  });
}

/** Goes to the run's branch from a clean work tree; the branch is made at `base` when it is not there. */
export async function goToBranch(
  repo: Repository,
  { branch, base }: { branch: string; base: string },
): Promise<void> {
  const start = await readStartPoint(repo);
  if (start.branch === branch) return;
  const tip = (await readBranch(repo, branch)) ?? (await makeBranch(repo, branch, base));
  if (tip !== start.commit) {
    if (repo.usesFilters) throw behindFilter(start.branch);
    await removeShownRecords(repo, tip);
    // Two trees: a local change in the way makes git stop before anything is touched.
    await runGit(repo, ["read-tree", "-m", "-u", start.commit, tip]);
    // HEAD comes last: until it moves, a kill leaves what `undoMove` knows.
    await syncUserIndex(repo);
  }
  await writeUserHead(repo, branch);
  await repo.system.files(repo.privateDir).write("HEAD", `ref: refs/heads/${branch}\n`);
}

async function makeBranch(repo: Repository, branch: string, base: string): Promise<string> {
  const made = await moveBranch(repo, { branch, from: undefined, to: base });
  if (made.kind === "moved") return base;
  throw new RalphError("git", {
    message: `The branch ${branch} was made by somebody else in this moment.`,
    remedy: "Run again.",
  });
}

/** A record that is shown here and committed there would stand in git's way. */
async function removeShownRecords(repo: Repository, commit: string): Promise<void> {
  const args = ["ls-tree", "-r", "-z", "--name-only", commit, `${repo.prefix}${runsFolder}/`];
  const tracked = (await runGit(repo, args)).toString().split("\0").filter(Boolean);
  const here = await runGit(repo, ["ls-files", "-z", "--", `${repo.prefix}${runsFolder}/`]);
  const known = new Set(here.toString().split("\0"));
  const files = repo.system.files(repo.worktree);
  for (const path of tracked.filter((each) => !known.has(each))) await files.remove(path);
}

function behindFilter(branch: string): RalphError {
  return new RalphError("git", {
    message: `This repository uses a filter such as git-lfs, and ${branch} is not the branch the run starts from.`,
    remedy: "Run `git switch` to the base branch, then run again.",
  });
}
