import { categoryIn, categoryOf } from "../../schema/tasks/foreign/category.ts";
import { taskIds } from "../../schema/tasks/foreign/entries.ts";
import { slug, titleFrom } from "../../schema/tasks/foreign/words.ts";
import type { Prd, Task } from "../../schema/tasks/prd.ts";

/** The format of the JSON in an exported document: a change request, or ralph's own list. */
export type RequestFormat = "cr" | "markdown";

/** An entry of a change request. */
export type RequestItem = {
  id: string;
  category: string;
  description: string;
  steps: string[];
  passes: boolean;
};

/** Tasks in the order of work. */
export const inOrder = ({ tasks }: Prd): Task[] =>
  tasks.toSorted((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1));

export type ListOptions = {
  format: RequestFormat;
  /** Part of the ids in a change request. */
  name: string;
  /** Ids that tasks have in the change request already. */
  known?: ReadonlyMap<string, string>;
};

/** The entries of the list. Known ids stay if an import maps them to the same tasks. */
export function listItems(
  prd: Prd,
  { format, name, known = new Map() }: ListOptions,
): readonly (Task | RequestItem)[] {
  const tasks = inOrder(prd);
  if (format === "markdown") return tasks;
  const middle = slug(name).toUpperCase() || "TASKS";
  const items = tasks.map((task) => toItem(task, middle));
  const named = items.map((item, index) => ({
    ...item,
    id: known.get(tasks[index]?.id ?? "") ?? item.id,
  }));
  const isSame = taskIds(named).every((id, index) => id === tasks[index]?.id);
  return isSame ? named : items;
}

/** The list as JSON. */
export const renderList = (items: readonly object[]): string => JSON.stringify(items, null, 2);

/** The number stays, so that an import finds the same id; subtasks become steps (compatibility 1.19). */
function toItem(task: Task, name: string): RequestItem {
  const parts = (task.subtasks ?? []).flatMap(({ title, acceptanceCriteria }) =>
    acceptanceCriteria.map((criterion) => `${title}: ${criterion}`),
  );
  return {
    id: `CR-${name}-${Number(task.id.slice(2))}`,
    category: categoryIn(task.notes) ?? categoryOf(task.priority),
    description: describe(task),
    steps: [...task.acceptanceCriteria, ...parts],
    passes: task.passes,
  };
}

/** The title; the whole text where an import would derive the same title from it. */
const describe = ({ title, description }: Task) =>
  titleFrom(description) === title ? description : title;

/** The data that is lost when tasks become entries of a change request, one line each. */
export function lossesOf({ tasks }: Prd): string[] {
  const notes = tasks.filter(({ notes = "" }) => notes.replace(origin, "").trim() !== "");
  const subtasks = tasks.filter((task) => (task.subtasks ?? []).length > 0);
  const texts = tasks.filter(
    (task) => describe(task) === task.title && task.title !== task.description,
  );
  const named = (loss: string, list: readonly Task[]) =>
    list.length === 0 ? [] : [`${loss}: ${list.map(({ id }) => id).join(", ")}`];
  return [
    ...named("notes are left out", notes),
    ...named("subtasks become steps of their task", subtasks),
    ...named("the description is left out, the title replaces it", texts),
  ];
}

const origin = /^(?:Imported from .*\.)?(?: ?Category: [\w-]+\.)?$/gm;
