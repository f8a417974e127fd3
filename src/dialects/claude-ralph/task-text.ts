import type { RunTask } from "../../core/state/event.ts";

/** What a description says, as far as it can be told. */
export interface TaskText {
  title: string;
  description: string;
  acceptanceCriteria: string[];
}

const heading = "Acceptance criteria:";
const known = new WeakMap<RunTask, string>();

/** A queue has one text for all that an agent must know of a task: title, description and criteria. */
export function renderTaskText(task: RunTask): string {
  const made = known.get(task);
  if (made !== undefined) return made;
  const { title, description, acceptanceCriteria } = task;
  const items = acceptanceCriteria.map((each) => `- ${each.replace(/\r?\n/g, "\n  ")}`);
  const text = [title, "", description, "", heading, ...items].join("\n");
  known.set(task, text);
  return text;
}

/** Of a text that names no criteria it is the one criterion that what it says is done. */
export function readTaskText(text: string): TaskText {
  const lines = text.trim().split(/\r?\n/);
  const at = lines.lastIndexOf(heading);
  const items = at < 0 ? [] : itemsOf(lines.slice(at + 1));
  const rest = items.length > 0 ? lines.slice(0, at) : lines;
  const [title = "", ...more] = rest;
  const description = more.join("\n").trim() || title;
  const acceptanceCriteria = items.length > 0 ? items : [`It is done: ${title.slice(0, 480)}`];
  return { title, description, acceptanceCriteria };
}

/** None when a line belongs to no item: then it is no list of ours. */
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
