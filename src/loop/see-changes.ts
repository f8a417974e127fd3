import { changesSince, type WorkTreeChanges } from "../git/changes.ts";
import { readBranch } from "../git/move-branch.ts";
import { putBack } from "../git/put-back.ts";
import type { Position } from "../git/repository.ts";
import { putHeadBack } from "../git/side-worktree.ts";
import { readUserBranch } from "../git/user-head.ts";
import { positionOf, type Session } from "./session.ts";

/** A worker's HEAD is on no branch: there is nothing to compare it with. */
const nowhere: Position = { branch: "", commit: "" };

/** Looks at the work tree of a session or of one of its workers; branch and HEAD are put back where they were moved. */
export async function seeChanges(session: Session): Promise<WorkTreeChanges> {
  const { repo, journal, worker } = session;
  if (!worker) {
    const seen = await changesSince(repo, positionOf(journal));
    if (seen.headMoved) await putBack(repo, positionOf(journal));
    return seen;
  }
  const seen = await changesSince(repo, nowhere);
  await putHeadBack(repo);
  // In the sandbox nobody can move it.
  if (session.sandbox === "off") await keepBranch(worker.main);
  return seen;
}

/** Without a sandbox an agent reaches the session's branch from any work tree. Not while we move it ourselves. */
function keepBranch({ repo, journal, turns }: Session): Promise<void> {
  return turns.project(async () => {
    const at = positionOf(journal);
    const [commit, branch] = await Promise.all([
      readBranch(repo, at.branch),
      readUserBranch(repo.system.files(repo.gitDir)),
    ]);
    if (commit !== at.commit || branch !== at.branch) await putBack(repo, at);
  });
}
