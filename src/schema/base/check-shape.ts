import type * as z from "zod";
import { describeIssue } from "./describe-issue.ts";
import { errorAt, type Finding, renderPath } from "./finding.ts";
import { unknownKeys } from "./unknown-keys.ts";

type ShapeResult<Data> = { kind: "valid"; data: Data } | { kind: "invalid"; findings: Finding[] };

/** Checks a value against its schema; each message ends a sentence about its path. `checkClosed` also reports unknown keys. */
export function checkShape<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): ShapeResult<z.output<Schema>> {
  // A file is checked once or twice: to compile a checker for it takes longer than it saves.
  const how = { error: describeIssue, reportInput: true, jitless: true };
  const result = schema.safeParse(value, how);
  if (result.success) return { kind: "valid", data: result.data };
  const findings = result.error.issues
    .flatMap(insideUnion)
    .filter((issue) => issue.code !== "unrecognized_keys" && !isSaidBetter(issue, result.error))
    .map((issue) => errorAt(issue.path, sayMissing(issue, value)));
  return { kind: "invalid", findings };
}

/** A value of one word or an object: what is wrong inside the object says more than that it is neither. */
function insideUnion(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const inside = issue.errors.find((found) => found.every(({ path }) => path.length > 0));
  if (!inside?.length) return [issue];
  return inside.map((each) => ({ ...each, path: [...issue.path, ...each.path] }));
}

/** Drops a second issue: a number too large for JavaScript also exceeds the limit of its key. */
function isSaidBetter(issue: z.core.$ZodIssue, { issues }: z.core.$ZodError): boolean {
  if (issue.code !== "too_big" || issue.maximum !== Number.MAX_SAFE_INTEGER) return false;
  return issues.some(
    (other) =>
      other !== issue &&
      other.code === "too_big" &&
      renderPath(other.path) === renderPath(issue.path),
  );
}

/** A schema's own message describes a valid value, so a missing value needs its own words. */
function sayMissing({ message, input, path }: z.core.$ZodIssue, whole: unknown): string {
  if (input !== undefined) return message;
  const [state, remedy] = hasKey(whole, path)
    ? ["is empty", "give it a value"]
    : ["is missing", "add it"];
  return `${state}; ${message.startsWith("must ") ? `it ${message}` : remedy}`;
}

/** Whether the key is written without a value, as YAML allows. */
function hasKey(whole: unknown, path: readonly PropertyKey[]): boolean {
  let node = whole;
  for (const step of path) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, step)) return false;
    node = (node as Record<PropertyKey, unknown>)[step];
  }
  return path.length > 0;
}

/** The result of checking shape and rules. `data` is set exactly when no finding is an error. */
export type Checked<Data> = { data: Data | undefined; findings: Finding[] };

/** Joins the findings of the shape and of the rules. */
export function conclude<Data>(shape: ShapeResult<Data>, ruled: readonly Finding[]): Checked<Data> {
  const findings = [...(shape.kind === "invalid" ? shape.findings : []), ...ruled];
  const isSound = findings.every(({ severity }) => severity !== "error");
  return { data: shape.kind === "valid" && isSound ? shape.data : undefined, findings };
}

/** Checks a value against a schema of closed objects: unknown keys are errors that name the nearest known one. */
export function checkClosed<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): ShapeResult<z.output<Schema>> {
  const shape = checkShape(schema, value);
  // A valid shape has no unknown key, and printing the schema for the search takes milliseconds.
  if (shape.kind === "valid") return shape;
  const strange = unknownKeys(schema, value).map(({ path, meant }) =>
    errorAt(path, `is not a known key; ${meant ? `did you mean "${meant}"?` : "remove it"}`),
  );
  return { kind: "invalid", findings: [...shape.findings, ...strange] };
}
