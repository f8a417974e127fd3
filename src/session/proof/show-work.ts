import type { StepOf } from "../../core/decide/step.ts";
import { type TaskState, taskOf, type WorkParts } from "../../core/state/session-state.ts";
import { diffTrees } from "../../git/trees/diff-trees.ts";
import { treeWith } from "../../git/trees/tree-with.ts";
import { advanceTo } from "../../git/worktree/reset.ts";
import { record, type SessionContext } from "../loop/session-context.ts";

/** Tests first: puts the tests on the base, the work without them, or both into the work tree. Files of the tests win. */
export async function showWork(session: SessionContext, { task: id, part }: StepOf<"show-work">) {
  const { repo, journal } = session;
  const task = taskOf(journal.state, id);
  const { tests, work, paths } = await partsOf(session, task);
  const whole = () => treeWith(repo, { tree: work, paths, from: tests });
  const tree = part === "tests" ? tests : part === "work" ? work : await whole();
  await advanceTo(repo, { from: task.tree, to: tree });
  await record(session, { type: "work_shown", task: id, part, tree, tests, work, paths });
}

/** Taken apart again after both were together: gates may have formatted the work, and others' work may be merged in. */
async function partsOf(
  { repo }: SessionContext,
  { base, tree, parts }: TaskState,
): Promise<Omit<WorkParts, "part">> {
  if (!parts) return { tests: base, work: tree, paths: [] };
  if (parts.part === "all") {
    const { paths } = parts;
    return {
      tests: await treeWith(repo, { tree: base, paths, from: tree }),
      work: await treeWith(repo, { tree, paths, from: base }),
      paths,
    };
  }
  const { tests, work } = parts;
  const { files } = await diffTrees(repo, { from: base, to: tests });
  return { tests, work, paths: files.map(({ path }) => path) };
}
