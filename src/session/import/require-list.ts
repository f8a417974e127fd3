import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import { readPack } from "../../git/commits/bundle.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { askGit } from "../../git/repository/run-git.ts";
import { isObjectId, missingObjects } from "../../git/trees/objects.ts";
import { foreignList } from "./prove-tasks.ts";

/** `edit`: the commit of the last edit of the list a journal says it took over; `pack`: the bundle's objects. */
type Asked = { state: SessionState; edit: string | undefined; pack: string };

/**
 * Makes sure that the tasks a session would go on with are those people have committed here: whoever makes a bundle could
 * journal criteria of their own, whose commands are run, or leave a task out. Exit 6 names what differs.
 */
export async function requireList(repo: Repository, { state, edit, pack }: Asked): Promise<void> {
  if (edit !== undefined && !(await isOnBranch(repo, edit))) throw unknownEdit(edit);
  const commit = edit ?? state.session.start.commit;
  // Commits an autopilot run has made before its session were held against the rules by the caller.
  if ((await missingObjects(repo, [commit])).length > 0) await readPack(repo, pack);
  const problems = await foreignList(repo, { state, commit });
  if (problems.length === 0) return;
  throw new RalphError("tampering", {
    message: `The journal of the bundle does not fit the task list it says it worked on:\n${problems.slice(0, 20).join("\n")}`,
    remedy: "Find out who changed the bundle. To go on without it, start with `ralph run`.",
  });
}

/** Objects alone tell nothing: a bundle brings its own. */
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
    message: `The session took over an edit of the task list, commit ${commit.slice(0, 12)}, which is on no branch of this clone.`,
    remedy: "Fetch the branch it was made on, or push it first; then try again.",
  });
