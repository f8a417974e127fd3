import * as z from "zod";
import { originalId } from "./entries.ts";

const Subtask = z.looseObject({ id: z.unknown().optional() });

/** The subtasks of an imported task; if any id has another format, all ids are numbered by position. */
export function subtasksOf(id: string, subtasks: unknown): unknown {
  if (!Array.isArray(subtasks)) return subtasks;
  const items: readonly unknown[] = subtasks;
  if (items.every((item) => originalId(item)?.startsWith(`${id}.`))) return items;
  return items.map((item, index) => {
    const { success, data } = Subtask.safeParse(item);
    return success ? { passes: false, ...data, id: `${id}.${index + 1}` } : item;
  });
}
