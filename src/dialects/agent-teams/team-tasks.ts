import { basename, dirname, join, relative } from "node:path/posix";
import type { ForeignTasks, ForeignTree } from "../dialect.ts";
import { readTeamTaskText } from "./schema/criteria.ts";
import { blockersOf, readHeader, taskStatusOf } from "./schema/task.ts";

const suffix = ".code-task.md";

export const isTaskFile = (path: string) => path.endsWith(suffix);

/** A plan: the folder that its tasks are named from, and their files in the order of work. */
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

/** `implementation` holds a folder for each step; where there is none, the files' own folder is it. */
function planFolder(path: string): string {
  const folder = dirname(path);
  const at = folder.split("/").lastIndexOf("implementation");
  if (at >= 0)
    return folder
      .split("/")
      .slice(0, at + 1)
      .join("/");
  return /^step\d+$/i.test(basename(folder)) ? dirname(folder) : folder;
}

function placeIn(plan: string, path: string): number {
  const names = [basename(path), basename(path, suffix)];
  const places = names.map((name) => plan.indexOf(name)).filter((at) => at >= 0);
  return places.length > 0 ? Math.min(...places) : Number.MAX_SAFE_INTEGER;
}

/** Files of the tasks that wait or are under way, of all plans. */
export function openTasks(tree: ForeignTree): string[] {
  const words = ["PENDING", "IN_PROGRESS", "IN_REVIEW"];
  const isLeft = (file: string) =>
    words.includes(taskStatusOf(readHeader(tree.get(file) ?? "")) ?? "");
  return plansOf(tree).flatMap(({ files }) => files.filter(isLeft));
}

/**
 * The tasks of the plan that has open ones, as a list: files in the plan's order with their dependencies; what is
 * completed has passed (specs 003). Where several have, the first by name.
 */
export function teamTasks(tree: ForeignTree): ForeignTasks | undefined {
  const plans = plansOf(tree);
  const plan = plans.find(({ files }) => files.some((file) => isOpen(tree, file))) ?? plans.at(-1);
  if (!plan) return undefined;
  const { folder, files } = plan;
  const ids = new Map(files.map((file) => [file, relative(folder, file)]));
  const headers = files.map((file) => readHeader(tree.get(file) ?? ""));
  // A plan that names dependencies has no other order.
  const isLinked = headers.some((header) => blockersOf(header).length > 0);
  const tasks = files.map((file) => toEntry(tree.get(file) ?? "", { file, folder, ids, isLinked }));
  return { path: folder, list: { ...headOf(tree, folder), tasks } };
}

const isOpen = (tree: ForeignTree, file: string) =>
  taskStatusOf(readHeader(tree.get(file) ?? "")) !== "COMPLETED";

type Place = {
  file: string;
  folder: string;
  ids: ReadonlyMap<string, string>;
  isLinked: boolean;
};

/** Limits of our own list; the whole of it is in the task's file, which agents are shown as well. */
const maxLength = { description: 1800, criterion: 500, title: 100 };

function toEntry(text: string, { file, folder, ids, isLinked }: Place): object {
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

/** Files are named from the plan's folder, by their name alone, or from the project root; an unknown one is told later. */
function dependency(name: string, { folder, ids }: Pick<Place, "folder" | "ids">): string {
  const wanted = isTaskFile(name) ? name : `${name}${suffix}`;
  const known = [...ids].find(
    ([file, id]) => id === wanted || file === wanted || basename(file) === wanted,
  );
  return known?.[1] ?? relative(folder, join(folder, wanted));
}

/** The goal's name, and what its discovery says it is about. */
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
