import * as z from "zod";
import { originalId } from "./entries.ts";

const Subtask = z.looseObject({ id: z.unknown().optional() });

/** Subtasks of an entry as those of the task it becomes: one with an id of another kind, and all are counted by place. */
export function subtasksOf(id: string, subtasks: unknown): unknown {
  if (!Array.isArray(subtasks)) return subtasks;
  const items: readonly unknown[] = subtasks;
  if (items.every((item) => originalId(item)?.startsWith(`${id}.`))) return items;
  return items.map((item, index) => {
    const { success, data } = Subtask.safeParse(item);
    return success ? { passes: false, ...data, id: `${id}.${index + 1}` } : item;
  });
}
