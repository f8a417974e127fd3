import type { StepOf } from "../../core/decide/step.ts";
import { type SessionState, type TaskState, taskOf } from "../../core/state/session-state.ts";
import { type CommitContents, type CreatedCommit, commitWork } from "../../git/commits/commit.ts";
import { diffTrees } from "../../git/trees/diff-trees.ts";
import { advanceTo, resetTo } from "../../git/worktree/reset.ts";
import { syncUserIndex } from "../../git/worktree/sync-user-index.ts";
import { escapeCommitText } from "../../text/escape-markdown.ts";
import { plainLine } from "../../text/plain-text.ts";
import { committedPaths } from "../loop/bookkeeping.ts";
import { record, type SessionContext, updateViews } from "../loop/session-context.ts";
import { stashForeignChanges } from "./keep-work.ts";

/** The pass itself (design 4.6): proofs and tree are durable first, then one flushed line decides it. */
export async function passTask(session: SessionContext, step: StepOf<"pass">): Promise<void> {
  const { journal, evidence, repo } = session;
  const { base } = taskOf(journal.state, step.task);
  const { files } = await diffTrees(repo, { from: base, to: step.tree });
  await evidence.settle();
  if (session.worker) await bringIntoProject(session.worker.main, step.tree);
  const fact = {
    type: "task_passed",
    task: step.task,
    tree: step.tree,
    parent: journal.state.head,
    files,
    already_satisfied: step.isAlreadySatisfied,
  } as const;
  await record(session, fact, { durable: true });
}

/** Resets the project's files to the tree that passes next. Workers never write there, so foreign changes are kept. */
function bringIntoProject(session: SessionContext, tree: string): Promise<void> {
  const { repo, journal, turns } = session;
  return turns.project(async () => {
    const isStrange = await stashForeignChanges(session);
    if (isStrange) await resetTo(repo, tree);
    else await advanceTo(repo, { from: journal.state.headTree, to: tree });
  });
}

/** Records that an independent subtask passed; its work stays in the tree until the parent passes. */
export function passSubtask(session: SessionContext, step: StepOf<"pass-subtask">): Promise<void> {
  const { task, subtask, tree } = step;
  return record(session, { type: "subtask_passed", task, subtask, tree });
}

/** Makes the commit of a journaled pass from its fields and views alone, so that repeating it gives the same id (design 4.6, F08). */
export function commitPass(session: SessionContext, step: StepOf<"commit">): Promise<void> {
  return session.turns.project(() => commitInProject(session, step));
}

async function commitInProject(session: SessionContext, step: StepOf<"commit">): Promise<void> {
  await updateViews(session);
  const { state } = session.journal;
  const task = taskOf(state, step.task);
  const { commit, tree } = await commitOnHead(session, {
    tree: task.tree,
    paths: committedPaths(session.config, state),
    message: commitMessage(state, task),
    date: task.endedAt ?? state.ts,
  });
  await record(
    session,
    { type: "task_committed", task: step.task, commit, tree },
    { durable: true },
  );
  await showCommit(session);
}

/** `feat(T-001): title`, the criteria, and trailers that name the task, the session and the journal line. */
export function commitMessage(state: SessionState, { task, anchor }: TaskState): string {
  const subject = `feat(${task.id}): ${escapeCommitText(plainLine(task.title))}`;
  const criteria = task.acceptanceCriteria.map(
    (text) => `- ${escapeCommitText(plainLine(text, 1000))}`,
  );
  const trailers = [
    `Ralph-Task: ${task.id}`,
    `Ralph-Session: ${state.session.session_id}`,
    `Ralph-Journal: ${anchor ?? ""}`,
  ];
  return [subject, criteria.join("\n"), trailers.join("\n")].join("\n\n").concat("\n");
}

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
