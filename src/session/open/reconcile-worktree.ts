import { selectedTasks } from "../../core/decide/task-order.ts";
import { RunTask } from "../../core/state/event.ts";
import { mayTryAgain } from "../../core/state/queue.ts";
import { uncommittedRepair } from "../../core/state/repairs.ts";
import { type SessionState, uncommittedPass } from "../../core/state/session-state.ts";
import { authorOf, listOriginOf } from "../../core/state/task-list-origin.ts";
import { RalphError } from "../../error.ts";
import { readBranch } from "../../git/commits/move-branch.ts";
import { readStartPoint, type StartPoint } from "../../git/commits/start-point.ts";
import { readUserBranch } from "../../git/repository/user-head.ts";
import { diffTrees } from "../../git/trees/diff-trees.ts";
import { type CommitFacts, readBlob, readCommit, treeOf } from "../../git/trees/objects.ts";
import { resetTo } from "../../git/worktree/reset.ts";
import { parseTaskFile } from "../../sources/task-file.ts";
import { bookkeepingPaths } from "../loop/bookkeeping.ts";
import { record, type SessionContext, updateViews } from "../loop/session-context.ts";
import { type SteeringSource, steerSession } from "../loop/steer-session.ts";
import { commitFix } from "../steps/commit-fix.ts";
import { keepWork, returnToHead, snapshotWork, taskHere } from "../steps/keep-work.ts";
import { commitPass } from "../steps/pass-task.ts";
import { findLeftWork } from "../workers/salvage-work.ts";
import { closeWorkers } from "../workers/workers.ts";

/** Brings the work tree from any state a kill left to the journal's head, without losing work or repeating a step. */
export async function reconcileWorktree(
  session: SessionContext,
  { sandbox, steering }: { sandbox: SessionContext["sandbox"]; steering: SteeringSource },
): Promise<void> {
  const { journal, repo, config, policy } = session;
  const uncommitted = uncommittedPass(journal.state);
  await adoptTaskEdits(session);
  const isSafe = await findsSafe(session);
  const tree = await snapshotWork(session);
  if (!(await isSafe(tree))) await keepWork(session, tree, taskHere(session));
  await keepLeftWork(session);
  const repair = uncommittedRepair(journal.state);
  if (repair) {
    await resetTo(repo, repair.tree);
    await commitFix(session);
  }
  // With the state from before the resume: its failed tasks restart later, and their lessons belong to this commit.
  if (uncommitted) {
    await resetTo(repo, uncommitted.tree);
    await commitPass(session, { kind: "commit", task: uncommitted.task.id });
  }
  // Before `session_resume`, which decides which tasks restart.
  await steerSession(session, steering);
  const bound = policy.parallel > 1 && { queue_attempts: config.limits.queue_attempts };
  const verified = session.views.hasVerifiedStatus && { status_verified: true as const };
  const fact = { type: "session_resume", sandbox, ...bound, ...verified } as const;
  await record(session, fact, { durable: true });
  if (bound) await warnAboutUsedUpAttempts(session, bound.queue_attempts);
  // Only now: until the session resumes, these work trees hold the only copy of running tasks.
  await closeWorkers(session);
  await returnToHead(session);
  await updateViews(session);
}

/** Tasks that failed too often are not restarted; without this warning nothing would say why. */
async function warnAboutUsedUpAttempts(session: SessionContext, attempts: number): Promise<void> {
  const { state } = session.journal;
  const tired = selectedTasks(state).filter((task) => !mayTryAgain(task, attempts));
  if (tired.length === 0) return;
  const names = tired.map(({ task }) => task.id).join(", ");
  const message = `Not restarted, because \`limits.queue_attempts\` (${attempts}) is used up: ${names}. A new session restarts them: \`ralph run\`.`;
  await record(session, { type: "warning", message });
}

async function keepLeftWork(session: SessionContext): Promise<void> {
  const { repo, store, journal } = session;
  const left = await findLeftWork(repo, { state: journal.state, store: store.root });
  for (const { task, tree } of left) await keepWork(session, tree, task);
}

/**
 * Decides, before anything is restored, which trees hold nothing that could be lost: the journal's head, the branch
 * the user has switched to, a repair that is kept, a tree journaled for a worker's task, or a pass whose bookkeeping may be half-written (it
 * is rendered again).
 */
async function findsSafe(session: SessionContext): Promise<(tree: string) => Promise<boolean>> {
  const { journal, repo, config } = session;
  const branch = await readUserBranch(repo.system.files(repo.gitDir));
  const tip = branch && (await readBranch(repo, branch));
  const own = tip && (await treeOf(repo, tip));
  const passed = uncommittedPass(journal.state);
  const rendered = new Set(bookkeepingPaths(config, journal.state));
  return async (tree) => {
    const kept = uncommittedRepair(journal.state)?.tree;
    if (tree === journal.state.headTree || tree === own || tree === kept) return true;
    // A worker's result was brought here to pass; its own work tree has it too.
    if (journal.state.tasks.some((task) => task.claimed && task.tree === tree)) return true;
    if (!passed) return false;
    const { files } = await diffTrees(repo, { from: passed.tree, to: tree });
    return files.every(({ path }) => rendered.has(path));
  };
}

/**
 * Checks how the branch has moved since the session stopped. The commit of a pass or a repair that is not journaled yet is made
 * again later, with the same id. Commits that only edit the task list and its documents are adopted
 * (`tasks_reloaded`). Any other commit may be a person's work, so the session stops (design 4).
 */
async function adoptTaskEdits(session: SessionContext): Promise<void> {
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

async function isTaskEdit({ repo, journal }: SessionContext, { tree }: StartPoint) {
  const from = journal.state.headTree;
  const { files } = await diffTrees(repo, { from, to: tree });
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
