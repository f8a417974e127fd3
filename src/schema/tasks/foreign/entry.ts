import * as z from "zod";
import { errorAt, type Finding, warningAt } from "../../base/finding.ts";
import { nearest } from "../../base/nearest.ts";
import { Task } from "../prd.ts";
import { oddCategory, renderOrigin } from "./category.ts";
import { originalId } from "./entries.ts";
import { onOneLine, titleFrom } from "./words.ts";

/** The names of a field in lists of other tools; the first is ralph's (compatibility 7). */
const aliases = {
  title: ["title", "name"],
  description: ["description", "details"],
  acceptanceCriteria: [
    "acceptanceCriteria",
    "acceptance_criteria",
    "acceptance",
    "criteria",
    "stepsToVerify",
    "steps",
  ],
  passes: ["passes", "passed", "completed", "done", "status"],
  dependsOn: ["dependsOn", "depends_on", "dependencies"],
} as const;
type Alias = keyof typeof aliases;

/** The names of `passes`, also for writing it back. */
export const passesNames: readonly string[] = aliases.passes;

/** An entry with ralph's field names, not checked yet. */
export type ReadEntry = {
  fields: Record<string, unknown>;
  category: string | undefined;
  findings: Finding[];
  /** The entry's own name of a field. */
  nameOf: (field: PropertyKey) => PropertyKey;
};

const Entry = z.looseObject({});

/** Reads an entry under any known field names. Unused keys are reported. */
export function readEntry(item: unknown, kind: "cr" | "list"): ReadEntry {
  const entry = Entry.safeParse(item).data;
  if (!entry) {
    const findings = [errorAt([], "must be an object with description and steps")];
    return { fields: {}, category: undefined, findings, nameOf: (field) => field };
  }
  const nameOf = (field: PropertyKey) => nameIn(entry, field, kind);
  const found = (field: Alias) => {
    const name = ownName(entry, field);
    return name === undefined ? undefined : entry[name];
  };
  const category = typeof entry.category === "string" ? entry.category : undefined;
  const { title, description } = texts(found("title"), found("description"));
  const fields = {
    ...native(entry),
    title,
    description,
    acceptanceCriteria: criteriaOf(found("acceptanceCriteria")),
    passes: passesOf(found("passes")),
    notes: notesOf(entry, { kind, category }),
    dependsOn: found("dependsOn"),
  };
  return { fields, category, findings: oddKeys(entry, category), nameOf };
}

/** The name that an error about a missing field uses: the one the list would have. */
function nameIn(entry: Record<string, unknown>, field: PropertyKey, kind: "cr" | "list") {
  const own = ownName(entry, field);
  if (own !== undefined) return own;
  if (field === "acceptanceCriteria" && kind === "cr") return "steps";
  return field === "title" || field === "description" ? nameOfText(entry) : field;
}

function ownName(entry: Record<string, unknown>, field: PropertyKey): string | undefined {
  const names: readonly string[] = aliases[field as Alias] ?? [];
  return names.find((name) => entry[name] !== undefined);
}

const nameOfText = (entry: Record<string, unknown>) =>
  Object.hasOwn(entry, "title") && !Object.hasOwn(entry, "description") ? "title" : "description";

/** Title or description alone is enough. */
function texts(title: unknown, description: unknown): { title: unknown; description: unknown } {
  const known = description ?? title;
  if (typeof known !== "string") return { title: title ?? description, description: known };
  const heading = typeof title === "string" ? title : known;
  return { title: titleFrom(heading), description: known };
}

const CriterionObject = z.looseObject({
  text: z.string().optional(),
  description: z.string().optional(),
  criterion: z.string().optional(),
});

/** A list of texts; an object with a text counts as that text, and a single text as a list of one. */
function criteriaOf(value: unknown): unknown {
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) return value;
  return value.map((each: unknown) => {
    const { text, description, criterion } = CriterionObject.safeParse(each).data ?? {};
    return text ?? description ?? criterion ?? each;
  });
}

/** Reads `passes` from a boolean or a status; the check reports other values. */
function passesOf(value: unknown): unknown {
  if (value === undefined || value === null) return false;
  if (typeof value !== "string" || /^(?:true|false|yes|no)$/i.test(value)) return value;
  return isDoneWord(value);
}

/** Statuses of other tools for a task that needs no more work. */
export const isDoneWord = (status: string) =>
  /^(?:done|completed?|passe[sd]|closed)$/i.test(status.trim());

type Origin = { kind: "cr" | "list"; category: string | undefined };

/** A change request has no notes, so they record its original id and category (compatibility 1.19). */
function notesOf(entry: Record<string, unknown>, { kind, category }: Origin): unknown {
  if (kind === "list" || (entry.notes !== undefined && entry.notes !== "")) return entry.notes;
  const own = originalId(entry);
  const id = /^T-\d{3}$/.test(own ?? "") ? undefined : own;
  const origin = renderOrigin(id && onOneLine(id).slice(0, 200), category?.slice(0, 100));
  return origin === "" ? undefined : origin;
}

const carried = ["requiresTests", "affectsFrontend", "skill", "subtasks"];

const native = (entry: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(entry).filter(([key]) => carried.includes(key)));

const known = new Set<string>([
  ...Object.values(aliases).flat(),
  ...Object.keys(Task.shape),
  "category",
]);

function hint(key: string): string {
  const meant = nearest(key, [...known]);
  return meant === undefined ? "" : ` (did you mean "${meant}"?)`;
}

function oddKeys(entry: Record<string, unknown>, category: string | undefined): Finding[] {
  const strange = Object.keys(entry).filter((key) => !known.has(key));
  const odd = category === undefined ? undefined : oddCategory(category);
  return [
    ...strange.map((key) => warningAt([key], `is not a key of a task; it is not used${hint(key)}`)),
    ...(odd === undefined ? [] : [warningAt(["category"], odd)]),
  ];
}
