import { basename } from "node:path/posix";
import type { RunTask } from "../../core/state/event.ts";
import { plainText } from "../../text/plain-text.ts";
import type { ForeignFile, ForeignTasks, ForeignTree } from "../dialect.ts";
import { importedFolder } from "./paths.ts";
import { type ClaudeRalphPlan, plansIn } from "./plans.ts";
import type { ClaudeRalphTask } from "./schema/index.ts";

function planToImport(tree: ForeignTree): ClaudeRalphPlan | undefined {
  const plans = plansIn(tree).filter(({ queue }) => (queue?.data.tasks.length ?? 0) > 0);
  return plans.find(hasWork) ?? plans[0];
}

/** The tasks of the plan to import. Only done tasks have passed; claims end with their agents. */
export function claudeRalphTasks(tree: ForeignTree): ForeignTasks | undefined {
  const plan = planToImport(tree);
  if (!plan?.queue) return undefined;
  const { path, data } = plan.queue;
  const tasks = data.tasks.map((task) => entryOf(task, plan));
  return { path, list: { branchName: plan.id, tasks } };
}

const hasWork = ({ queue }: ClaudeRalphPlan) =>
  queue?.data.tasks.some(({ status }) => status !== "done");

function entryOf(task: ClaudeRalphTask, plan: ClaudeRalphPlan): object {
  const { id, description, status, dependencies } = task;
  const notes = notesOf(task, plan);
  return {
    id,
    ...readTaskText(plainText(description)),
    passes: status === "done",
    ...(dependencies.length > 0 && { dependsOn: dependencies }),
    ...(notes !== "" && { notes }),
  };
}

const maxNote = 1000;

function notesOf({ id, status }: ClaudeRalphTask, { retries, agents }: ClaudeRalphPlan): string {
  if (status === "done") return "";
  const failures = (retries?.data.retries ?? [])
    .filter(({ task_id }) => task_id === id)
    .map(({ attempt, error }) => `Attempt ${attempt} failed: ${error}`);
  const left = agents
    .filter(({ data }) => data.task_id === id)
    .map(({ data: { agent_id, context } }) => `${agent_id} stopped at: ${context.notes}`);
  return [...failures, ...left].map((line) => plainText(line).slice(0, maxNote)).join("\n");
}

/**
 * Copies of an imported plan for the archive: a session that continues it writes files of the same names, and a task list
 * cannot hold all of its fields. Empty if the plan is archived already.
 */
export function archiveImportedPlan(tree: ForeignTree): ForeignFile[] {
  const plan = planToImport(tree);
  if (!plan?.queue) return [];
  const { id, queue, retries, progress, agents } = plan;
  const paths = [queue, retries, progress, ...agents].flatMap((found) => found?.path ?? []);
  const copyIn = (folder: string) => `${folder}/${basename(queue.path)}`;
  for (let number = 1; ; number += 1) {
    const folder = importedFolder(id, number);
    const kept = tree.get(copyIn(folder));
    if (kept !== undefined && kept === tree.get(queue.path)) return [];
    if (kept !== undefined) continue;
    return paths.map((path) => ({
      path: `${folder}/${basename(path)}`,
      locks: [],
      text: tree.get(path),
    }));
  }
}

const heading = "Acceptance criteria:";
const known = new WeakMap<RunTask, string>();

/** The one text of a task in a queue: title, description and criteria. */
export function renderTaskText(task: RunTask): string {
  const made = known.get(task);
  if (made !== undefined) return made;
  const { title, description, acceptanceCriteria } = task;
  const items = acceptanceCriteria.map((each) => `- ${each.replace(/\r?\n/g, "\n  ")}`);
  const text = [title, "", description, "", heading, ...items].join("\n");
  known.set(task, text);
  return text;
}

/** Reads a task's text; a text without criteria gets one, that it is done. */
export function readTaskText(text: string) {
  const lines = text.trim().split(/\r?\n/);
  const at = lines.lastIndexOf(heading);
  const items = at < 0 ? [] : itemsOf(lines.slice(at + 1));
  const rest = items.length > 0 ? lines.slice(0, at) : lines;
  const [title = "", ...more] = rest;
  const description = more.join("\n").trim() || title;
  const acceptanceCriteria = items.length > 0 ? items : [`It is done: ${title.slice(0, 480)}`];
  return { title, description, acceptanceCriteria };
}

function itemsOf(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    const last = items.pop();
    if (line.startsWith("- ")) items.push(...(last === undefined ? [] : [last]), line.slice(2));
    else if (line.startsWith("  ") && last !== undefined) items.push(`${last}\n${line.slice(2)}`);
    else return [];
  }
  return items;
}
