import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import { readPack } from "../../git/commits/bundle.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { askGit } from "../../git/repository/run-git.ts";
import { isObjectId, missingObjects } from "../../git/trees/objects.ts";
import { foreignList } from "./prove-tasks.ts";

/** `edit`: the commit of the last list edit the journal says it adopted; `pack`: the bundle's objects. */
type BundledList = { state: SessionState; edit: string | undefined; pack: string };

/**
 * Requires the tasks of a session to be those that were committed in this repository: the author of a bundle could
 * journal other criteria, whose commands would run, or leave a task out. Exit 6 names the differences.
 */
export async function requireList(
  repo: Repository,
  { state, edit, pack }: BundledList,
): Promise<void> {
  if (edit !== undefined && !(await isOnBranch(repo, edit))) throw unknownEdit(edit);
  const commit = edit ?? state.session.start.commit;
  // The caller has checked the commits an autopilot run made before its session.
  if ((await missingObjects(repo, [commit])).length > 0) await readPack(repo, pack);
  const problems = await foreignList(repo, { state, commit });
  if (problems.length === 0) return;
  throw new RalphError("tampering", {
    message: `The journal of the bundle does not match the task list it names:\n${problems.slice(0, 20).join("\n")}`,
    remedy: "Find out who changed the bundle. To continue without it, start with `ralph run`.",
  });
}

/** That the object exists proves nothing: a bundle brings its own objects. */
async function isOnBranch(repo: Repository, commit: string): Promise<boolean> {
  if (!isObjectId(commit)) return false;
  const { exitCode, stdout } = await askGit(repo, [
    ...["for-each-ref", "--count=1", "--format=%(refname)"],
    ...[`--contains=${commit}`, "refs/heads", "refs/remotes"],
  ]);
  return exitCode === 0 && stdout.length > 0;
}

const unknownEdit = (commit: string) =>
  new RalphError("git", {
    message: `The session adopted an edit of the task list, commit ${commit.slice(0, 12)}, which is on no branch of this clone.`,
    remedy: "Fetch its branch, or push it first; then try again.",
  });
