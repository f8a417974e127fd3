import type * as z from "zod";
import { errorAt, type Finding } from "./finding.ts";

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
    .filter((issue) => issue.code !== "unrecognized_keys")
    .map((issue) => errorAt(issue.path, sayMissing(issue)));
  return { kind: "invalid", findings };
}

/** A schema's own message says what a value must be, not that there is none. */
function sayMissing({ message, input }: z.core.$ZodIssue): string {
  return input === undefined && message.startsWith("must ") ? `is missing; it ${message}` : message;
}

/** A value whose shape and rules have been checked. `data` is there exactly when no finding is an error. */
export type Checked<Data> = { data: Data | undefined; findings: Finding[] };

/** Joins what the shape and what the rules found. */
export function conclude<Data>(shape: ShapeResult<Data>, ruled: readonly Finding[]): Checked<Data> {
  const findings = [...(shape.kind === "invalid" ? shape.findings : []), ...ruled];
  const isSound = findings.every(({ severity }) => severity !== "error");
  return { data: shape.kind === "valid" && isSound ? shape.data : undefined, findings };
}

/** Only asked where a schema has no message of its own. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? "is missing; add it"
        : `must be ${nameType(issue.expected)}, not ${nameValue(issue.input)}${quoteHint(issue)}`;
    case "invalid_value":
      if (issue.input === undefined) return "is missing; add it";
      return `must be ${issue.values.map((each) => JSON.stringify(each)).join(" or ")}`;
    case "too_big":
      return `must ${nameSize(issue.origin, `at most ${issue.maximum}`)}`;
    case "too_small":
      if (issue.origin !== "number" && issue.minimum === 1) return "must not be empty";
      return `must ${nameSize(issue.origin, `at least ${issue.minimum}`)}`;
    case "invalid_key":
      return `is a name that ${issue.issues[0]?.message}`;
    default:
      return undefined;
  }
}

const typeNames: Record<string, string> = {
  object: "an object",
  record: "an object",
  array: "a list",
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};

function nameType(expected: string): string {
  return typeNames[expected] ?? expected;
}

function nameValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "text";
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  return nameType(typeof value);
}

/** Quotes too many or too few are the commonest reason for a wrong type. */
function quoteHint({ expected, input }: { expected?: string; input?: unknown }): string {
  const isPlain = typeof input === "number" || typeof input === "boolean";
  if (expected === "string" && isPlain) return "; put it in quotes";
  // In YAML {name} is an object with an empty key, and empty keys count as not there.
  if (expected === "string" && JSON.stringify(input) === "{}") {
    return "; put text that begins with { in quotes";
  }
  if (typeof input !== "string") return "";
  const isMeant = expected === "boolean" ? /^(?:true|false)$/i : /^-?\d+(?:\.\d+)?$/;
  const isQuoted = /^(?:boolean|number|int)$/.test(expected ?? "") && isMeant.test(input);
  return isQuoted ? "; remove the quotes" : "";
}

function nameSize(origin: string, amount: string): string {
  if (origin === "string") return `have ${amount} characters`;
  return origin === "array" ? `have ${amount} entries` : `be ${amount}`;
}
