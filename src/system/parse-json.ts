import { findNodeAtLocation, type JSONVisitor, type Node, parseTree, visit } from "jsonc-parser";
import { decodeText } from "./decode-text.ts";
import { findJsonError, strictJson } from "./find-json-error.ts";
import { findForeignText } from "./foreign-text.ts";
import {
  forbiddenKeys,
  type Locate,
  type Mistake,
  maxDepth,
  type ParsedText,
  positionAt,
  type TextSource,
} from "./parsed-text.ts";

/**
 * Strict JSON with the place of every value (T60). Beyond the grammar it refuses what two readers could
 * understand differently: repeated keys, keys with a meaning to JavaScript, half characters, numbers out of
 * range. Time and memory are linear in the text.
 */
export function parseJson(source: TextSource): ParsedText {
  const decoded = decodeText(source);
  if (decoded.kind === "refused") return decoded;
  const { text } = decoded;
  const problems = findProblems(text).map((problem) => ({ file: source.file, ...problem }));
  if (problems.length > 0) return { kind: "refused", problems };
  return { kind: "parsed", value: JSON.parse(text), text, locate: createLocate(text) };
}

function findProblems(text: string): Mistake[] {
  const tooDeep = findTooDeep(text);
  if (tooDeep !== undefined) {
    const message = `is nested more than ${maxDepth} levels deep`;
    return [{ ...positionAt(text, tooDeep), message }];
  }
  const error = findJsonError(text);
  return error ? [findForeignText(text) ?? error] : findAmbiguities(text);
}

/** Looks at brackets only, so it is safe where a parser that calls itself is not. */
function findTooDeep(text: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === "[" || char === "{") depth += 1;
    else if (char === "]" || char === "}") depth -= 1;
    if (depth > maxDepth) return at;
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

/** The library's way to say where: offset, length, then line and column from 0. */
type Place = [offset: number, length: number, line: number, column: number, ...rest: unknown[]];

function findAmbiguities(text: string): Mistake[] {
  const mistakes: Mistake[] = [];
  const open: Set<string>[] = [];
  const report = (message: string | undefined, [, , line, column]: Place) => {
    if (message) mistakes.push({ line: line + 1, column: column + 1, message });
  };
  const visitor: JSONVisitor = {
    onObjectBegin: () => {
      open.push(new Set());
    },
    onObjectEnd: () => {
      open.pop();
    },
    onObjectProperty: (key, ...place) => {
      report(keyProblem(key, open.at(-1)), place);
      open.at(-1)?.add(key);
    },
    onLiteralValue: (value: unknown, ...place) => report(literalProblem(value), place),
  };
  visit(text, visitor, strictJson);
  return mistakes;
}

function keyProblem(key: string, siblings: ReadonlySet<string> | undefined): string | undefined {
  if (forbiddenKeys.has(key)) return `the key "${key}" is not allowed; remove it`;
  if (siblings?.has(key)) return `the key ${JSON.stringify(key)} stands here twice; remove one`;
  return literalProblem(key);
}

function literalProblem(value: unknown): string | undefined {
  if (typeof value === "string" && !value.isWellFormed()) {
    return "the text holds half of a character, written as \\ud800 to \\udfff; remove it";
  }
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY
    ? "the number is too large"
    : undefined;
}

function createLocate(text: string): Locate {
  let root: Node | undefined;
  return (path) => {
    root ??= parseTree(text, [], strictJson);
    return positionAt(text, root ? offsetOf(root, path) : 0);
  };
}

/** Start of the key or item the path ends at, or of the last part of the path that exists. */
function offsetOf(root: Node, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const steps = path.slice(0, length).map((step) => (typeof step === "symbol" ? "" : step));
    const node = findNodeAtLocation(root, steps);
    if (node) return node.parent?.type === "property" ? node.parent.offset : node.offset;
  }
  return root.offset;
}
