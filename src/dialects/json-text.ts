import type * as z from "zod";
import { checkShape } from "../schema/base/check-shape.ts";
import { errorAt, type Finding, warningAt } from "../schema/base/finding.ts";
import { checkForeignList } from "../schema/tasks/foreign/check-foreign-list.ts";
import { findEntries } from "../schema/tasks/foreign/entries.ts";

/** The JSON object of a file; empty for a missing or empty file, undefined for anything else. */
export function parseRecord(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined || text.trim() === "") return {};
  const value = parseText(text);
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord ? (value as Record<string, unknown>) : undefined;
}

/** The JSON value of a text; undefined if it is not JSON. The caller that reads the file reports repeated keys. */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON format of dialect files, the same as Python's `json.dump(..., indent=2)`. */
export const renderJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const notJson: Finding = errorAt([], "is not valid JSON");

/** All findings in a JSON text. */
export function checkJson(
  text: string,
  check: (value: unknown) => readonly Finding[],
): readonly Finding[] {
  const value = parseText(text);
  return value === undefined ? [notJson] : check(value);
}

/** The data of a JSON text; undefined for a missing or invalid one. */
export function parseAs<Schema extends z.ZodType>(
  schema: Schema,
  text: string | undefined,
): z.infer<Schema> | undefined {
  const shape = checkShape(schema, text === undefined ? undefined : parseText(text));
  return shape.kind === "valid" ? shape.data : undefined;
}

/** All findings in another tool's task list; a list without entries is left alone. */
export function checkTaskList(file: string, value: unknown): readonly Finding[] {
  if (!findEntries(value)) return [warningAt([], "holds no tasks; it is left as it is")];
  return checkForeignList(value, { kind: "list", source: "imported-prd", file }).findings;
}
