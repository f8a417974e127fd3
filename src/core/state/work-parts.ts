import type { FactOf } from "./event.ts";
import type { TaskState, WorkParts } from "./session-state.ts";

/** Tests first: the work tree now holds one part of the work, or all of it. */
export function workShown(
  task: TaskState,
  { part, tree, tests, work, paths }: FactOf<"work_shown">,
): TaskState {
  return { ...task, tree, parts: { part, tests, work, paths } };
}

/** The tree a role leaves is its part, as long as it saw no other. */
export function partsAfter(parts: WorkParts, { tree }: FactOf<"agent_end">): WorkParts {
  return parts.part === "all" ? parts : { ...parts, [parts.part]: tree };
}
