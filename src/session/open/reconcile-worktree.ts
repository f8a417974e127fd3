import { selectedTasks } from "../../core/decide/task-order.ts";
import { mayTryAgain } from "../../core/state/queue.ts";
import { uncommittedRepair } from "../../core/state/repairs.ts";
import { uncommittedPass } from "../../core/state/session-state.ts";
import { readBranch } from "../../git/commits/move-branch.ts";
import { readUserBranch } from "../../git/repository/user-head.ts";
import { diffTrees } from "../../git/trees/diff-trees.ts";
import { treeOf } from "../../git/trees/objects.ts";
import { resetTo } from "../../git/worktree/reset.ts";
import { bookkeepingPaths } from "../loop/bookkeeping.ts";
import { record, type SessionContext, updateViews } from "../loop/session-context.ts";
import { type SteeringSource, steerSession } from "../loop/steer-session.ts";
import { commitFix } from "../steps/commit-fix.ts";
import { keepWork, returnToHead, snapshotWork, taskHere } from "../steps/keep-work.ts";
import { commitPass } from "../steps/pass-task.ts";
import { findLeftWork } from "../workers/salvage-work.ts";
import { closeWorkers } from "../workers/workers.ts";
import { adoptTaskEdits } from "./adopt-task-edits.ts";

/** Only the names of changed files are read. */
const maxDiffBytes = 16 * 1024 * 1024;

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
    const { files } = await diffTrees(repo, {
      from: passed.tree,
      to: tree,
      maxBytes: maxDiffBytes,
    });
    return files.every(({ path }) => rendered.has(path));
  };
}
