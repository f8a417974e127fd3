import * as z from "zod";
import { checkShape } from "../../schema/base/check-shape.ts";
import { renderPath } from "../../schema/base/finding.ts";
import { forbiddenKeys, maxDepth } from "../../sources/parsed-text.ts";
import { cut, plainLine, plainText } from "../../text/plain-text.ts";

/** The value in an answer, or the reason there is none. */
export type ReadAnswer =
  | { kind: "value"; value: unknown }
  | { kind: "unreadable"; problem: string };

const maxLength = 1_000_000;
const block = /^ {0,3}(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)^ {0,3}\1[`~]*[ \t]*$/gm;

/**
 * The JSON object in an answer: the whole text, else the first code block that is an object, else the outermost braces
 * (compatibility 1.21). Braces inside strings are ignored.
 */
export function readAnswer(text: string): ReadAnswer {
  if (text.trim() === "") return unreadable("the answer is empty");
  if (text.length > maxLength) return unreadable("the answer is too long");
  const blocks = [...text.matchAll(block)].map(([, , content = ""]) => content);
  for (const candidate of [text, ...blocks, ...outermost(text)]) {
    const value = parseObject(candidate);
    if (value !== undefined) return { kind: "value", value };
  }
  const isCut = text.includes("{");
  return unreadable(
    isCut ? "the JSON object is incomplete or malformed" : "the answer holds no JSON object",
  );
}

function parseObject(text: string): object | undefined {
  if (!text.trim().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && isPlain(value, 0) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** No answer needs deep nesting or keys with a meaning to JavaScript, so both are refused. */
function isPlain(value: object, depth: number): boolean {
  if (depth > maxDepth) return false;
  return Object.entries(value).every(
    ([key, child]) =>
      !forbiddenKeys.has(key) &&
      (typeof child !== "object" || child === null || isPlain(child, depth + 1)),
  );
}

/** The first few texts from an opening brace to the brace that closes it. */
function outermost(text: string): string[] {
  const found: string[] = [];
  for (let from = text.indexOf("{"); from >= 0 && found.length < 5; ) {
    const end = closingBrace(text, from);
    if (end < 0) break;
    found.push(text.slice(from, end + 1));
    from = text.indexOf("{", end);
  }
  return found;
}

/** A string is matched as a whole, so that braces inside it are skipped. */
const mark = /"(?:[^"\\]|\\.)*"|[{}]/gs;

function closingBrace(text: string, from: number): number {
  mark.lastIndex = from;
  let depth = 0;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    if (found[0] === "{") depth += 1;
    if (found[0] === "}") depth -= 1;
    if (depth === 0) return found.index;
  }
  return -1;
}

const unreadable = (problem: string): ReadAnswer => ({ kind: "unreadable", problem });

/** A checked value, or its problems in sentences the model can act on. */
export type Judged<Data> = { kind: "good"; data: Data } | { kind: "bad"; problems: string[] };

/** Checks an answer's shape; each problem is a line the model can act on. */
export function judgeShape<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Judged<z.output<Schema>> {
  const shape = checkShape(schema, value);
  if (shape.kind === "valid") return { kind: "good", data: shape.data };
  const problems = shape.findings.map(({ path, message }) => `${renderPath(path)} ${message}`);
  return { kind: "bad", problems };
}

/** A model's text without hidden or control characters, cut to a length. */
export const longText = (max: number) =>
  z.string().transform((text) => cut(plainText(text.slice(0, max * 8)).trim(), max));

/** The same, on one line. */
export const oneLine = (max: number) => z.string().transform((text) => plainLine(text, max));

/** At most `max` lines, without the empty ones. */
export const lines = (max: number, length: number) =>
  z.array(oneLine(length)).transform((found) => found.filter(Boolean).slice(0, max));
