import * as z from "zod";
import type { Checked } from "../../base/check-shape.ts";
import { errorAt, type Finding, warningAt } from "../../base/finding.ts";
import { repeats } from "../../base/repeats.ts";
import { checkPrd } from "../check-prd.ts";
import { type Prd, wideBranchName } from "../prd.ts";
import { priorityByCategory } from "./category.ts";
import { type Entries, findEntries, originalId, taskIds } from "./entries.ts";
import { type ReadEntry, readEntry } from "./entry.ts";
import { onOneLine, shorten, strictBranch } from "./words.ts";

/** Facts about a list from outside of it: `file` for messages, and the text around a block of JSON. */
export type About = {
  kind: "cr" | "list";
  source: "imported-cr" | "imported-prd";
  file: string;
  project?: string | undefined;
  description?: string | undefined;
  branchName?: string | undefined;
  /** Priorities by category instead of by position. */
  groupByCategory?: boolean | undefined;
};

const maxTasks = 999;
const maxDescription = 500;

/** Converts another tool's list to a task list; findings are at the places of the source (compatibility 1.19 and 7). */
export function checkForeignList(value: unknown, about: About): Checked<Prd> {
  const entries = findEntries(value);
  if (!entries) return refused([], "must be a list of tasks");
  const { path, items } = entries;
  if (items.length > maxTasks) {
    return refused(path, `has ${items.length} entries; a task list holds at most ${maxTasks}`);
  }
  const read = items.map((item) => readEntry(item, about.kind));
  const priorities = choosePriorities(items, { read, about });
  const prd = candidate(value, { entries, read, about, priorities: priorities.values });
  const checked = checkPrd(prd);
  // Bands leave gaps, and repeat a priority when they overflow.
  const findings = checked.findings.filter(
    ({ path: at, severity }) => !about.groupByCategory || at.length > 1 || severity === "error",
  );
  const own = [
    ...repeatedIds(items),
    ...priorities.findings,
    ...read.flatMap((entry, index) => entry.findings.map(under([index]))),
  ];
  const all = [
    ...shortened(value, about),
    ...own.map(under(path)),
    ...findings.flatMap(translate({ path, read })),
  ];
  const isSound = all.every(({ severity }) => severity !== "error");
  return { data: isSound ? checked.data : undefined, findings: withoutRepeats(all) };
}

const refused = (path: readonly PropertyKey[], message: string) => ({
  data: undefined,
  findings: [errorAt(path, message)],
});

/** A change request has no priorities: the position in the list is the order (compatibility 1.19). */
function choosePriorities(
  items: readonly unknown[],
  { read, about }: { read: readonly ReadEntry[]; about: About },
): Priorities {
  if (about.groupByCategory) {
    return { values: priorityByCategory(read.map(({ category }) => category)), findings: [] };
  }
  return prioritiesOf(items.map((item) => Said.parse(item).priority));
}

const Said = z.looseObject({ priority: z.unknown().optional() }).catch({});

type Parts = {
  entries: Entries;
  read: readonly ReadEntry[];
  about: About;
  priorities: readonly number[];
};

/** Omits absent optional fields, so that a written list does not contain them. */
function candidate(value: unknown, { entries: { items }, read, about, priorities }: Parts): object {
  const ids = taskIds(items);
  const originals = items.map(originalId);
  const idOf = new Map(originals.map((original, index) => [original, ids[index]]));
  const tasks = read.map(({ fields }, index) => {
    const { title, description, acceptanceCriteria, passes, notes, ...rest } = fields;
    const id = ids[index] ?? "";
    const priority = priorities[index];
    const head = { id, title, description, acceptanceCriteria, priority, passes };
    const dependsOn = Array.isArray(rest.dependsOn)
      ? rest.dependsOn.map((each: unknown) => idOf.get(String(each)) ?? each)
      : rest.dependsOn;
    const subtasks = subtasksOf(id, rest.subtasks);
    return defined({ ...head, notes: notes ?? "", ...rest, dependsOn, subtasks });
  });
  const renamed = ids.flatMap((id, index) => {
    const original = originals[index];
    return original === undefined || original === id ? [] : [[id, original] as const];
  });
  const idMap = renamed.length > 0 ? { idMap: Object.fromEntries(renamed) } : {};
  const metadata = { source: about.source, sourceFile: about.file, ...idMap };
  return { ...headOf(value, about), metadata, tasks };
}

const defined = (value: object) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));

const text = z.string().optional().catch(undefined);
const Head = z
  .object({
    project: text,
    productName: text,
    title: text,
    name: text,
    description: text,
    branchName: text,
  })
  .catch({});

function headOf(value: unknown, about: About): object {
  const own = Head.parse(value);
  const named = [own.project, own.productName, own.title, own.name, about.project, about.file];
  const project = named.map((each) => onOneLine(each ?? "")).find((each) => each !== "") ?? "Tasks";
  const description = onOneLine(about.description ?? own.description ?? "") || project;
  const branch = own.branchName ?? about.branchName ?? "";
  const branchName = wideBranchName.test(branch) ? branch : strictBranch(branch);
  return defined({
    project: shorten(project, 200),
    branchName,
    description: shorten(description, maxDescription),
  });
}

/** Text around a block of JSON has no place in it; the reader of the whole text reports problems there. */
function shortened(value: unknown, about: About): Finding[] {
  const { description = "" } = Head.parse(value);
  const remark = about.description === undefined ? tooLong(description) : undefined;
  return remark === undefined ? [] : [warningAt(["description"], remark)];
}

/** The warning about a description that will be cut. */
export function tooLong(description: string): string | undefined {
  const { length } = onOneLine(description);
  return length > maxDescription
    ? `has ${length} characters; ${maxDescription} of them are kept`
    : undefined;
}

function repeatedIds(items: readonly unknown[]): Finding[] {
  return repeats(items, originalId).map(({ item, index, first }) =>
    errorAt([index, "id"], `repeats "${originalId(item)}" of entry ${first + 1}`),
  );
}

const under =
  (path: readonly PropertyKey[]) =>
  (finding: Finding): Finding => ({ ...finding, path: [...path, ...finding.path] });

type Origin = { path: readonly PropertyKey[]; read: readonly ReadEntry[] };

/** Translates findings of the check of ralph's own format to places and names of the source. */
const translate =
  (origin: Origin) =>
  (finding: Finding): Finding[] => {
    const [root, index] = finding.path;
    if (root !== "tasks") return [finding];
    if (typeof index === "number") return translateEntry(finding, index, origin);
    return [{ ...finding, path: origin.path.length === 0 ? ["tasks"] : origin.path }];
  };

function translateEntry(finding: Finding, index: number, { path, read }: Origin): Finding[] {
  const [, , field, ...rest] = finding.path;
  const entry = read[index];
  // An invalid entry has been reported already.
  if (!entry || entry.findings.some(({ severity }) => severity === "error")) return [];
  const inside = field === undefined ? [] : [entry.nameOf(field), ...rest];
  return [{ ...finding, path: [...path, index, ...inside] }];
}

/** Reports a text that is both title and description only once. */
function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const known = new Map(findings.map((each) => [JSON.stringify([each.path, each.message]), each]));
  return [...known.values()];
}

const namedLevels: Readonly<Record<string, number>> = { high: 1, medium: 2, low: 3 };

/** The priorities of a list's entries, with errors. */
type Priorities = { values: number[]; findings: Finding[] };

/** The stated priorities, high to low as 1 to 3, else positions; numbers beyond the limits are renumbered (compatibility 7). */
function prioritiesOf(said: readonly unknown[]): Priorities {
  const findings: Finding[] = [];
  const values = said.map((value, index) => {
    if (value === undefined || value === null) return index + 1;
    const number = typeof value === "string" ? namedLevels[value.trim().toLowerCase()] : value;
    if (typeof number === "number" && Number.isFinite(number)) return number;
    findings.push(errorAt([index, "priority"], "must be a number, or high, medium or low"));
    return index + 1;
  });
  const isFit = values.every((value) => Number.isInteger(value) && value >= 1 && value <= 999);
  if (isFit) return { values, findings };
  const levels = [...new Set(values)].toSorted((a, b) => a - b);
  return { values: values.map((value) => levels.indexOf(value) + 1), findings };
}

const Subtask = z.looseObject({ id: z.unknown().optional() });

/** The subtasks of an imported task; if any id has another format, all ids are numbered by position. */
function subtasksOf(id: string, subtasks: unknown): unknown {
  if (!Array.isArray(subtasks)) return subtasks;
  const items: readonly unknown[] = subtasks;
  if (items.every((item) => originalId(item)?.startsWith(`${id}.`))) return items;
  return items.map((item, index) => {
    const { success, data } = Subtask.safeParse(item);
    return success ? { passes: false, ...data, id: `${id}.${index + 1}` } : item;
  });
}
