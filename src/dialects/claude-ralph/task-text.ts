import type { RunTask } from "../../core/state/event.ts";

/** The parts of a description. */
export interface TaskText {
  title: string;
  description: string;
  acceptanceCriteria: string[];
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

/** The items of a list; none if any line is not part of an item. */
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
