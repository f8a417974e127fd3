import type * as z from "zod";
import { type Checked, checkShape, conclude } from "../schema/base/check-shape.ts";
import { errorAt, type Finding, warningAt } from "../schema/base/finding.ts";
import { isRecord } from "../schema/base/is-record.ts";
import { checkForeignList } from "../schema/tasks/foreign/check-foreign-list.ts";
import { findEntries } from "../schema/tasks/foreign/entries.ts";
import { jsonValue } from "../text/json-value.ts";
import type { ForeignFile } from "./dialect.ts";

/** The JSON object of a file; empty for a missing or empty file, undefined for anything else. */
export function parseRecord(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined || text.trim() === "") return {};
  const value = jsonValue(text);
  return isRecord(value) ? value : undefined;
}

/** The JSON format of dialect files, the same as Python's `json.dump(..., indent=2)`. */
export const renderJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const notJson: Finding = errorAt([], "is not valid JSON");

/** All findings in a JSON text. */
export function checkJson(
  text: string,
  check: (value: unknown) => readonly Finding[],
): readonly Finding[] {
  const value = jsonValue(text);
  return value === undefined ? [notJson] : check(value);
}

/** A check of the shape, then of the rules, which hold for a value of this shape. */
export const checkBy =
  <Schema extends z.ZodType>(
    schema: Schema,
    rules: (data: z.output<Schema>) => readonly Finding[] = () => [],
  ) =>
  (value: unknown): Checked<z.output<Schema>> => {
    const shape = checkShape(schema, value);
    return conclude(shape, shape.kind === "valid" ? rules(shape.data) : []);
  };

/** Reads the data of a JSON text; undefined for a missing or invalid one. */
export const parsedBy =
  <Data>(check: (value: unknown) => Checked<Data>) =>
  (text: string | undefined): Data | undefined =>
    text === undefined ? undefined : check(jsonValue(text)).data;

/** A file that only ralph writes; undefined removes it. */
export const wholeFile = (path: string, text: string | undefined): ForeignFile => ({
  ...{ path, locks: [], text },
});

export const removed = (path: string): ForeignFile => wholeFile(path, undefined);

/** All findings in another tool's task list; a list without entries is left alone. */
export function checkTaskList(file: string, value: unknown): readonly Finding[] {
  if (!findEntries(value)) return [warningAt([], "holds no tasks; it is left as it is")];
  return checkForeignList(value, { kind: "list", source: "imported-prd", file }).findings;
}
