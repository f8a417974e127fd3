import { type CommitContents, type CreatedCommit, commitWork } from "../../git/commits/commit.ts";
import { syncUserIndex } from "../../git/worktree/sync-user-index.ts";
import { record, type SessionContext } from "../loop/session-context.ts";

/** Commits on the journal's head and moves the session's branch; the same contents give the same commit again. */
export function commitOnHead(
  { journal: { state }, repo }: SessionContext,
  work: Omit<CommitContents, "parent">,
): Promise<CreatedCommit> {
  return commitWork(repo, { branch: state.session.branch, parent: state.head, ...work });
}

/** The user's index follows the commit that is journaled now. */
export async function showCommit(session: SessionContext): Promise<void> {
  const synced = await syncUserIndex(session.repo);
  if (synced.kind !== "locked") return;
  const message = `${synced.lock} is held by another program; \`git status\` shows old contents.`;
  await record(session, { type: "warning", message });
}
