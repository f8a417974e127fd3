import { RalphError } from "../../error.ts";
import { objectMethod } from "../repository/flush-objects.ts";
import type { BranchPosition, Repository } from "../repository/repository.ts";
import { runScript } from "../repository/run-git.ts";
import { joinPaths } from "../worktree/stage.ts";
import { branchRef, moveBranch } from "./move-branch.ts";

/** The contents of a commit. Equal fields and files give the same commit id whenever it is repeated. */
export type CommitContents = {
  /** The proved tree. The commit's tree is this one with `paths` as they are in the work tree. */
  tree: string;
  parent: string;
  paths: readonly string[];
  message: string;
  /** ISO 8601; the author's and the committer's date. */
  date: string;
};

export type CreatedCommit = { commit: string; tree: string };

/**
 * Builds the commit of a passed task, or of new `.ralph/` files (`chore: ralph`), and leaves its tree in the private
 * index. No ref points to it yet: `publishCommit` is the next step (design 4, step 6). Runs no hooks.
 */
export async function createCommit(repo: Repository, work: CommitContents): Promise<CreatedCommit> {
  const script = `${create}\necho "$tree $commit"`;
  const [tree = "", commit = ""] = await commitBy(repo, script, { ...work, values: ["fsync"] });
  return { tree, commit };
}

// Usually the index holds the tree already, and checking that is faster than writing a large index again.
const create = `git diff-index --cached --quiet --ignore-submodules=none "$1" || git read-tree -m "$1"
git -c core.fsyncMethod="$4" update-index --add --remove --replace -z --stdin
tree=$(git -c core.fsyncMethod="$4" write-tree)
commit=$(git -c core.fsyncMethod="$4" commit-tree -p "$2" -m "$3" "$tree")`;

/** `values`: the method of `objectMethod` as $4, then the script's other parameters. Answers the fields it prints. */
async function commitBy(
  repo: Repository,
  script: string,
  { tree, parent, message, ...work }: CommitContents & { values: readonly string[] },
): Promise<string[]> {
  const date = `@${Math.floor(Date.parse(work.date) / 1000)} +0000`;
  const answer = await runScript(repo, script, {
    values: [tree, parent, message, ...work.values],
    input: joinPaths(repo, work.paths),
    env: { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  });
  return answer.split(" ");
}

/** Moves the branch from the parent to the commit. Exit 14 if something else moved it; never forced (F53). */
export async function publishCommit(
  repo: Repository,
  { branch, parent, commit }: { branch: string; parent: string; commit: string },
): Promise<void> {
  const result = await moveBranch(repo, { branch, from: parent, to: commit });
  if (result.kind === "moved") return;
  throw new RalphError("git", {
    message: `The branch ${branch} is at ${result.tip ?? "no commit"}, not at ${parent}: someone else moved it.`,
    remedy: `Look at \`git log ${branch}\`; keep what you want there, then continue with \`ralph run --resume\`.`,
  });
}

/** Both steps in one process; answers the new head. The user's index follows with `syncUserIndex`. */
export async function commitWork(
  repo: Repository,
  { branch, ...work }: CommitContents & Pick<BranchPosition, "branch">,
): Promise<BranchPosition & CreatedCommit> {
  const values = [objectMethod(repo), branchRef(branch)];
  const [tree = "", commit = "", moved] = await commitBy(repo, createAndMove, { ...work, values });
  if (moved !== "moved") await publishCommit(repo, { branch, parent: work.parent, commit });
  return { branch, tree, commit };
}

// The ref is flushed before it moves, and the objects with it. A refused move may have been made before a crash:
// `publishCommit` checks that.
const createAndMove = `${create}
moved=moved
git update-ref --no-deref -m ralph "$5" "$commit" "$2" || moved=refused
echo "$tree $commit $moved"`;
