import { workerOf } from "../../core/checks/team-files.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { passedTasks } from "../../views/summary/passed-tasks.ts";
import type { SpliceView } from "../../views/view.ts";
import { checkTask } from "./schema/task.ts";
import { type TaskUpdate, withStatus } from "./team-task-header.ts";

/**
 * The files of Agent Teams whose tasks have ended since the pass before: their status goes with the newest pass, so that
 * a long list costs no more than a short one. `files`: by task id, see `teamTaskFiles`.
 */
export function teamTaskDocuments(
  state: Pick<SessionState, "tasks">,
  files: ReadonlyMap<string, string>,
): SpliceView[] {
  if (files.size === 0) return [];
  const [newest, before] = passedTasks(state).toReversed();
  if (!newest) return [];
  const isNew = ({ endedAt = "" }: TaskState) =>
    endedAt <= newest.endedAt && endedAt > (before?.endedAt ?? "");
  return state.tasks.filter(isNew).flatMap((task) => {
    const path = files.get(task.task.id);
    return path === undefined ? [] : [documentOf(task, path)];
  });
}

/** A file that is gone, or broken, is nobody's status; it is left as it is. */
function documentOf(task: TaskState, path: string): SpliceView {
  const stand = standOf(task);
  return {
    kind: "splice",
    name: `team-task ${task.task.id}`,
    path: () => path,
    splice: (text) =>
      text === undefined || checkTask(text).length > 0 ? text : withStatus(text, stand),
  };
}

function standOf(task: TaskState): TaskUpdate {
  const { state, endedAt } = task;
  if (state !== "passed" || endedAt === undefined) return { status: "BLOCKED" };
  return { status: "COMPLETED", by: workerOf(task), at: endedAt };
}
