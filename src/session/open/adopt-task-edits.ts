import { RunTask } from "../../core/state/event.ts";
import { uncommittedRepair } from "../../core/state/repairs.ts";
import { type SessionState, uncommittedPass } from "../../core/state/session-state.ts";
import { authorOf, listOriginOf } from "../../core/state/task-list-origin.ts";
import { RalphError } from "../../error.ts";
import { readStartPoint, type StartPoint } from "../../git/commits/start-point.ts";
import { diffTrees } from "../../git/trees/diff-trees.ts";
import { type CommitFacts, readBlob, readCommit } from "../../git/trees/objects.ts";
import { parseTaskFile } from "../../sources/task-file.ts";
import { record, type SessionContext } from "../loop/session-context.ts";

const maxDiffBytes = 1024 * 1024;

/**
 * Checks how the branch has moved since the session stopped. The commit of a pass or a repair that is not journaled yet is made
 * again later, with the same id. Commits that only edit the task list and its documents are adopted
 * (`tasks_reloaded`). Any other commit may be a person's work, so the session stops (design 4).
 */
export async function adoptTaskEdits(session: SessionContext): Promise<void> {
  const { repo, journal } = session;
  const { state } = journal;
  const tip = await readStartPoint(repo);
  if (tip.commit === state.head) return;
  const commit = await readCommit(repo, tip.commit);
  if (commit && isOwnCommit(state, commit)) return;
  const { path } = state.session.source;
  const isComplete = !uncommittedPass(state) && !uncommittedRepair(state);
  const isNext = commit?.parents.join() === state.head && isComplete;
  const bytes =
    isNext && (await isTaskEdit(session, tip))
      ? await readBlob(repo, { treeish: tip.commit, path })
      : undefined;
  if (!bytes) throw branchMoved(session, tip.commit);
  const { prd } = parseTaskFile(bytes, path);
  const tasks = prd.tasks.map((task) => RunTask.parse(task));
  const at = { commit: tip.commit, tree: tip.tree, ...authorOf(prd), ...listOriginOf(prd) };
  await record(session, { type: "tasks_reloaded", tasks, ...at }, { durable: true });
}

/** Trailers alone prove nothing: amending a commit keeps them. */
function isOwnCommit(state: SessionState, { parents, trailers }: CommitFacts): boolean {
  const anchor = (uncommittedPass(state) ?? uncommittedRepair(state))?.anchor;
  const says = (key: string, value: string | undefined) =>
    trailers.some((trailer) => trailer.key === key && trailer.value === value);
  return (
    parents.join() === state.head &&
    says("Ralph-Journal", anchor) &&
    says("Ralph-Session", state.session.session_id)
  );
}

async function isTaskEdit(
  { repo, journal }: SessionContext,
  { tree }: StartPoint,
): Promise<boolean> {
  const from = journal.state.headTree;
  const { files } = await diffTrees(repo, { from, to: tree, maxBytes: maxDiffBytes });
  const own = [journal.state.session.source.path, "AGENTS.md"];
  return files.every(({ path }) => path.startsWith(".ralph/") || own.includes(path));
}

function branchMoved({ journal }: SessionContext, tip: string): RalphError {
  const { head, session } = journal.state;
  return new RalphError("git", {
    message: `Branch ${session.branch} is at ${tip.slice(0, 12)}, a commit that session ${session.session_id} did not make.`,
    remedy: `Start a new session on it with \`ralph run\`; tasks that passed stay passed. Or move the branch back with \`git reset --soft ${head.slice(0, 12)}\`: \`ralph run --resume\` then keeps its changes as a tree and continues.`,
  });
}
