import { RalphError } from "../../error.ts";
import { renderPrdFile } from "../../scaffold/write/render-prd.ts";
import { nearest } from "../../schema/base/nearest.ts";
import { isForeignList } from "../../schema/tasks/foreign/entries.ts";
import { Task } from "../../schema/tasks/prd.ts";
import type { TaskFile } from "../../sources/task-file.ts";

const names = Object.keys(Task.shape);

/** `--fields id,title`: fields every task can have; an unknown one is refused with the nearest that is known. */
export function readFields(list: string | undefined): string[] | undefined {
  if (list === undefined) return undefined;
  const fields = list
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);
  const unknown = fields.find((field) => !names.includes(field));
  if (fields.length > 0 && unknown === undefined) return [...new Set(fields)];
  const meant = unknown === undefined ? undefined : nearest(unknown, names);
  throw new RalphError("config", {
    message:
      unknown === undefined ? "--fields names nothing." : `A task has no field "${unknown}".`,
    remedy: meant ? `Did you mean "${meant}"?` : `There are: ${names.join(", ")}.`,
  });
}

/** The list as it stands in its file when it is one of ours; else what it was taken for, or only some fields of it. */
export function renderFieldsJson(
  { prd, text }: TaskFile,
  fields: readonly string[] | undefined,
): string {
  if (fields) return `${JSON.stringify(withFields(prd, fields), null, 2)}\n`;
  const isJson = /^\s*\{/.test(text);
  return isJson && !isForeignList(JSON.parse(text)) ? text : renderPrdFile(prd);
}

function withFields(prd: TaskFile["prd"], fields: readonly string[]): object {
  const { project, branchName, description } = prd;
  const tasks = prd.tasks.map((task) => {
    const pairs = Object.entries(task).filter(([key]) => fields.includes(key));
    return Object.fromEntries(pairs);
  });
  return { project, branchName, description, tasks };
}
