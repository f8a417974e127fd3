import * as z from "zod";

/** The end of a sentence about a path, for schemas without their own message. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return "is missing";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${nameExpected(issue)}, not ${nameValue(issue.input)}${quoteHint(issue)}`;
    case "invalid_value":
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

type TypeIssue = { expected: string; input?: unknown; inst?: unknown };

const typeNames: Record<string, string> = {
  object: "an object",
  record: "an object",
  array: "a list",
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};

const nameType = (type: string) => typeNames[type] ?? type;

/** Names the required keys of an object, for a user who wrote another value in its place. */
function nameExpected({ expected, inst }: TypeIssue): string {
  const keys = inst instanceof z.ZodObject ? requiredKeys(inst) : [];
  const last = keys.pop();
  if (last === undefined) return nameType(expected);
  return `${nameType(expected)} with ${keys.length > 0 ? `${keys.join(", ")} and ` : ""}${last}`;
}

function requiredKeys({ shape }: z.ZodObject<Record<string, z.ZodType>>): string[] {
  return Object.keys(shape).filter((key) => !shape[key]?.isOptional());
}

function nameValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "text";
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  return nameType(typeof value);
}

/** Extra or missing quotes are the most common reason for a wrong type. */
function quoteHint({ expected, input }: TypeIssue): string {
  if (expected === "string") return missingQuotes(input);
  if (typeof input !== "string") return "";
  if (expected === "boolean") return hintForSwitch(input);
  const isQuoted = /^(?:number|int)$/.test(expected) && /^-?\d+(?:\.\d+)?$/.test(input);
  return isQuoted ? "; remove the quotes" : "";
}

function missingQuotes(input: unknown): string {
  if (typeof input === "number" || typeof input === "boolean") return "; put it in quotes";
  // In YAML {name} is an object whose key has no value, and such keys count as absent.
  return JSON.stringify(input) === "{}" ? "; put text that begins with { in quotes" : "";
}

/** In older YAML these were booleans too. */
function hintForSwitch(input: string): string {
  if (/^(?:true|false)$/i.test(input)) return "; remove the quotes";
  if (/^(?:yes|on)$/i.test(input)) return "; write true";
  return /^(?:no|off)$/i.test(input) ? "; write false" : "";
}

function nameSize(origin: string, amount: string): string {
  if (origin === "string") return `have ${amount} characters`;
  return origin === "array" ? `have ${amount} entries` : `be ${amount}`;
}
