import { type JSONVisitor, type Node, parseTree, visit } from "jsonc-parser";
import { decodeText, findForeignText } from "./decode-text.ts";
import { findJsonError, strictJson } from "./find-json-error.ts";
import {
  forbiddenKeys,
  type Locate,
  type Mistake,
  maxDepth,
  type ParsedText,
  positionAt,
  repeatedKey,
  type TextSource,
} from "./parsed-text.ts";

/**
 * Parses strict JSON with the position of every value (T60). It also refuses content that two readers could interpret
 * differently: repeated keys, keys with a meaning to JavaScript, half characters, numbers out of range. Time and memory
 * are linear in the text.
 */
export function parseJson(source: TextSource): ParsedText {
  const decoded = decodeText(source);
  if (decoded.kind === "refused") return decoded;
  const { text } = decoded;
  const grammar = findGrammarMistake(text);
  const { mistakes, isReadable } = grammar
    ? { mistakes: [grammar], isReadable: false }
    : findAmbiguities(text);
  const readable = () => ({ value: JSON.parse(text), locate: createLocate(text) });
  if (mistakes.length === 0) return { kind: "parsed", text, ...readable() };
  const problems = mistakes.map((mistake) => ({ file: source.file, ...mistake }));
  return { kind: "refused", problems, ...(isReadable && { readable: readable() }) };
}

function findGrammarMistake(text: string): Mistake | undefined {
  const tooDeep = findTooDeep(text);
  if (tooDeep !== undefined) {
    const message = `is nested more than ${maxDepth} levels deep`;
    return { ...positionAt(text, tooDeep), message };
  }
  const error = findJsonError(text);
  return error && (findForeignText(text) ?? error);
}

/** Reads only brackets, so it is safe for depths at which a recursive parser is not. */
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

/** The library's form of a position: offset, length, then line and column from 0. */
type LibraryPosition = [number, number, line: number, column: number, ...unknown[]];

/** Readable: every mistake is a repeated key. */
function findAmbiguities(text: string): { mistakes: Mistake[]; isReadable: boolean } {
  const mistakes: Mistake[] = [];
  let repeated = 0;
  const open: Set<string>[] = [];
  const report = (message: string | undefined, [, , line, column]: LibraryPosition) => {
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
      const problem = keyProblem(key);
      const isRepeated = problem === undefined && open.at(-1)?.has(key) === true;
      if (isRepeated) repeated += 1;
      report(isRepeated ? repeatedKey(key) : problem, place);
      open.at(-1)?.add(key);
    },
    onLiteralValue: (value: unknown, ...place) => report(literalProblem(value), place),
  };
  visit(text, visitor, strictJson);
  return { mistakes, isReadable: repeated === mistakes.length };
}

function keyProblem(key: string): string | undefined {
  if (forbiddenKeys.has(key)) return `the key "${key}" is not allowed; remove it`;
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
  let node = root;
  for (const step of path) {
    const found = findStep(node, step);
    if (!found) break;
    node = found;
  }
  return node.parent?.type === "property" ? node.parent.offset : node.offset;
}

/** Of repeated keys the last one counts. */
function findStep({ type, children = [] }: Node, step: PropertyKey): Node | undefined {
  if (type === "array") return typeof step === "number" ? children[step] : undefined;
  if (type !== "object") return undefined;
  const isMeant = (property: Node) => property.children?.[0]?.value === step;
  return children.findLast(isMeant)?.children?.[1];
}
