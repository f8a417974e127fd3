import type * as z from "zod";
import { describeIssue } from "./describe-issue.ts";
import { errorAt, type Finding, renderPath } from "./finding.ts";

export type ShapeResult<Data> =
  | { kind: "valid"; data: Data }
  | { kind: "invalid"; findings: Finding[] };

/**
 * Checks a value against its schema and words every mistake as the end of a sentence about its path.
 * Unknown keys are left to `checkClosed`, which can also name the nearest known one.
 */
export function checkShape<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): ShapeResult<z.output<Schema>> {
  const result = schema.safeParse(value, { error: describeIssue, reportInput: true });
  if (result.success) return { kind: "valid", data: result.data };
  const findings = result.error.issues
    .filter((issue) => issue.code !== "unrecognized_keys" && !isSaidBetter(issue, result.error))
    .map((issue) => errorAt(issue.path, sayMissing(issue, value)));
  return { kind: "invalid", findings };
}

/** A number JavaScript cannot hold exactly is beyond the limit of its key too, if that has one. */
function isSaidBetter(issue: z.core.$ZodIssue, { issues }: z.core.$ZodError): boolean {
  if (issue.code !== "too_big" || issue.maximum !== Number.MAX_SAFE_INTEGER) return false;
  return issues.some(
    (other) =>
      other !== issue &&
      other.code === "too_big" &&
      renderPath(other.path) === renderPath(issue.path),
  );
}

/** A schema's own message says what a value must be, not that there is none. */
function sayMissing({ message, input, path }: z.core.$ZodIssue, whole: unknown): string {
  if (input !== undefined) return message;
  const [state, remedy] = hasKey(whole, path)
    ? ["is empty", "give it a value"]
    : ["is missing", "add it"];
  return `${state}; ${message.startsWith("must ") ? `it ${message}` : remedy}`;
}

/** Whether somebody has written the key and nothing behind it, as YAML allows. */
function hasKey(whole: unknown, path: readonly PropertyKey[]): boolean {
  let node = whole;
  for (const step of path) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, step)) return false;
    node = (node as Record<PropertyKey, unknown>)[step];
  }
  return path.length > 0;
}

/** A value whose shape and rules have been checked. `data` is there exactly when no finding is an error. */
export type Checked<Data> = { data: Data | undefined; findings: Finding[] };

/** Joins what the shape and what the rules found. */
export function conclude<Data>(shape: ShapeResult<Data>, ruled: readonly Finding[]): Checked<Data> {
  const findings = [...(shape.kind === "invalid" ? shape.findings : []), ...ruled];
  const isSound = findings.every(({ severity }) => severity !== "error");
  return { data: shape.kind === "valid" && isSound ? shape.data : undefined, findings };
}
