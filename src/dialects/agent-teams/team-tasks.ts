import { basename, dirname, join, relative } from "node:path/posix";
import type { ForeignTasks, ForeignTree } from "../dialect.ts";
import { readTeamTaskText } from "./schema/criteria.ts";
import { blockersOf, readHeader, taskStatusOf } from "./schema/task.ts";

const suffix = ".code-task.md";

export const isTaskFile = (path: string) => path.endsWith(suffix);

/** A plan: the folder that task names are relative to, and the task files in the order of work. */
export interface TeamPlan {
  folder: string;
  files: readonly string[];
}

/** The plans of a tree, each with its tasks in the order in which `plan.md` names them, else by name. */
export function plansOf(tree: ForeignTree): TeamPlan[] {
  const files = [...tree.keys()].filter(isTaskFile).toSorted();
  return [...Map.groupBy(files, planFolder)].map(([folder, own]) => {
    const plan = tree.get(join(folder, "plan.md")) ?? "";
    return { folder, files: own.toSorted((a, b) => placeIn(plan, a) - placeIn(plan, b)) };
  });
}

/** The folder `implementation`, which holds a folder for each step; without it the folder of the files. */
function planFolder(path: string): string {
  const folder = dirname(path);
  const [implementation] = /^(?:.*\/)?implementation(?=\/|$)/.exec(folder) ?? [];
  if (implementation !== undefined) return implementation;
  return /^step\d+$/i.test(basename(folder)) ? dirname(folder) : folder;
}

function placeIn(plan: string, path: string): number {
  const names = [basename(path), basename(path, suffix)];
  const places = names.map((name) => plan.indexOf(name)).filter((at) => at >= 0);
  return places.length > 0 ? Math.min(...places) : Number.MAX_SAFE_INTEGER;
}

/** The status in a task's file; undefined for an unknown one. */
export const statusIn = (tree: ForeignTree, file: string) =>
  taskStatusOf(readHeader(tree.get(file) ?? ""));

/** The files of the pending and running tasks of all plans. */
export function openTasks(tree: ForeignTree): string[] {
  const open = ["PENDING", "IN_PROGRESS", "IN_REVIEW"];
  return plansOf(tree).flatMap(({ files }) =>
    files.filter((file) => open.includes(statusIn(tree, file) ?? "")),
  );
}

/** The tasks of the first plan with open tasks, in the plan's order; completed tasks have passed (specs 003). */
export function teamTasks(tree: ForeignTree): ForeignTasks | undefined {
  const plans = plansOf(tree);
  const plan =
    plans.find(({ files }) => files.some((file) => statusIn(tree, file) !== "COMPLETED")) ??
    plans.at(-1);
  if (!plan) return undefined;
  const { folder, files } = plan;
  const ids = new Map(files.map((file) => [file, relative(folder, file)]));
  const headers = files.map((file) => readHeader(tree.get(file) ?? ""));
  // A plan with dependencies has no other order.
  const isLinked = headers.some((header) => blockersOf(header).length > 0);
  const tasks = files.map((file) => toEntry(tree.get(file) ?? "", { file, folder, ids, isLinked }));
  return { path: folder, list: { ...headOf(tree, folder), tasks } };
}

type EntryContext = {
  file: string;
  folder: string;
  ids: ReadonlyMap<string, string>;
  isLinked: boolean;
};

/** Limits of ralph's own list; agents also get the task's file, which holds the full text. */
const maxLength = { description: 1800, criterion: 500, title: 100 };

function toEntry(text: string, { file, folder, ids, isLinked }: EntryContext): object {
  const header = readHeader(text);
  const { title, description, criteria } = readTeamTaskText(text);
  const id = ids.get(file) ?? file;
  const name = title || basename(file, suffix);
  const dependsOn = blockersOf(header).map((each) => dependency(each, { folder, ids }));
  return {
    id,
    title: cut(name, maxLength.title),
    description: `${cut(description || name, maxLength.description)}\n\nThe whole task: ${file}`,
    acceptanceCriteria: criteria.map((each) => cut(each, maxLength.criterion)),
    passes: taskStatusOf(header) === "COMPLETED",
    ...(isLinked && { dependsOn }),
  };
}

/** The id of a file that is named relative to the plan's folder or the project root, or by its base name. */
function dependency(name: string, { folder, ids }: Pick<EntryContext, "folder" | "ids">): string {
  const wanted = isTaskFile(name) ? name : `${name}${suffix}`;
  const known = [...ids].find(
    ([file, id]) => id === wanted || file === wanted || basename(file) === wanted,
  );
  return known?.[1] ?? relative(folder, join(folder, wanted));
}

function headOf(tree: ForeignTree, folder: string): object {
  const goal = basename(folder) === "implementation" ? dirname(folder) : folder;
  const discovery = tree.get(join(goal, "discovery.md")) ?? "";
  const [paragraph] = discovery.split(/\r?\n\s*\r?\n/).filter((part) => /^[^#<>\-*|\s]/.test(part));
  const name = basename(goal);
  return { project: name, description: cut(paragraph ?? name, 500), branchName: `ralph/${name}` };
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text
    .slice(0, max - 1)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()}…`;
}
