import type { RunTask } from "../../core/state/event.ts";
import { RalphError } from "../../error.ts";

export type Selection = { task?: string | undefined; fromTask?: string | undefined };

/** The ids a session works on: one task, the open ones from a task on, or all (compatibility 1.9). Exit 2 if they cannot start. */
export function selectTasks(tasks: readonly RunTask[], { task, fromTask }: Selection): string[] {
  const sorted = [...tasks].sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1));
  if (task !== undefined) return selectOne(sorted, task);
  if (fromTask === undefined) return sorted.map(({ id }) => id);
  const from = sorted.indexOf(known(sorted, fromTask));
  const selected = sorted.slice(from);
  requireDependencies(sorted, { selected, fromTask });
  return selected.map(({ id }) => id);
}

/** A task that can never start would fail the session only after the other tasks have been paid for. */
function requireDependencies(
  tasks: readonly RunTask[],
  { selected, fromTask }: { selected: readonly RunTask[]; fromTask: string },
): void {
  for (const { id, passes, dependsOn = [] } of selected) {
    const open = dependsOn.filter((needed) => isLeftUndone(known(tasks, needed), selected));
    if (passes || open.length === 0) continue;
    throw new RalphError("source", {
      message: `${id} depends on ${open.join(", ")}, which has not passed and comes before ${fromTask}.`,
      remedy: `Run \`ralph run --task ${open[0]}\` first, or \`ralph run\` for the whole list.`,
    });
  }
}

const isLeftUndone = (task: RunTask, selected: readonly RunTask[]) =>
  !task.passes && !selected.includes(task);

function selectOne(tasks: readonly RunTask[], id: string): string[] {
  const open = (known(tasks, id).dependsOn ?? []).filter((needed) => !known(tasks, needed).passes);
  if (open.length === 0) return [id];
  throw new RalphError("source", {
    message: `${id} depends on ${open.join(", ")}, which has not passed.`,
    remedy: `Run \`ralph run --task ${open[0]}\` first, or \`ralph run\` for the whole list.`,
  });
}

function known(tasks: readonly RunTask[], id: string): RunTask {
  const found = tasks.find((task) => task.id === id);
  if (found) return found;
  throw new RalphError("source", {
    message: `There is no task ${id}. The list has ${tasks.map((task) => task.id).join(", ")}.`,
    remedy: "Name one of these with --task or --from-task.",
  });
}
