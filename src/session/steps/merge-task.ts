import type { StepOf } from "../../core/decide/step.ts";
import { taskOf } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import { advanceSideWorktree, moveSideWorktree } from "../../git/open/side-worktree.ts";
import { mergeOnto } from "../../git/trees/merge-trees.ts";
import { keepTree } from "../../git/trees/objects.ts";
import { record, type SessionContext } from "../loop/session-context.ts";
import { forgetSetUp, setUpMerged } from "../workers/set-up-worker.ts";

/** Merges approved work with what passed in the meantime, in the worker's work tree. On a conflict the task restarts. */
export async function mergeTask(session: SessionContext, step: StepOf<"merge">): Promise<void> {
  const { repo, journal } = session;
  const { head: onto, headTree } = journal.state;
  const merge = await mergeOnto(repo, { onto, tree: step.tree });
  if (merge.kind === "unknown") throw cannotMerge(step.task, merge.because);
  if (merge.kind === "conflict") return restartTask(session, step, merge.files);
  const { tree } = merge;
  await advanceSideWorktree(repo, { from: step.tree, at: { commit: onto, tree } });
  await setUpMerged(session, step.task);
  await record(session, { type: "task_merged", task: step.task, tree, onto, base: headTree });
}

/** Keeps the work, says in the next prompt where it is, and resets the work tree. */
async function restartTask(
  session: SessionContext,
  { task, tree: kept }: StepOf<"merge">,
  files: readonly string[],
): Promise<void> {
  const { repo, journal } = session;
  const { head: commit, headTree: tree } = journal.state;
  const { iteration, base } = taskOf(journal.state, task);
  await keepTree(repo, kept);
  await record(session, { type: "work_kept", task, tree: kept }, { durable: true });
  await moveSideWorktree(repo, { commit, tree });
  forgetSetUp(session);
  await setUpMerged(session, task);
  await record(session, {
    ...{ type: "iteration_failed", task, iteration, tree, because: "merge" },
    feedback: feedback(files, `git diff ${base} ${kept}`),
    fingerprint: files.join("\n"),
  });
}

const feedback = (files: readonly string[], command: string) =>
  `While this task was worked on, other tasks passed, and their work and this one's do not fit together in:
${files.map((path) => `- ${path}`).join("\n")}
The files now are as the others left them, without this task's work; \`${command}\` shows what that was. Do the task again on what is there now, and keep what the others have done.`;

const cannotMerge = (task: string, because: string) =>
  new RalphError("git", {
    message: `git could not merge the work of ${task} with what passed meanwhile: ${because}`,
    remedy: "Remove the cause git names, then continue with `ralph run --resume`.",
  });
