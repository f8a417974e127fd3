import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type Pair,
  visit,
} from "yaml";
import { oddSpace, oddSpaceMessage } from "./decode-text.ts";
import { forbiddenKeys, repeatedKey } from "./parsed-text.ts";

/** Enough for a gate list that is used twice; too few for an alias bomb (T61). */
const maxAliases = 16;

/** `isRepeat`: a repeated key; the rest of the document is readable. */
export type YamlMistake = { offset: number; message: string; isRepeat?: true };

/** Mistakes in valid YAML: keys that are not plain names, broken texts, aliases. */
export function findYamlMistakes(document: Document.Parsed): YamlMistake[] {
  const mistakes: YamlMistake[] = [];
  const aliases: { alias: Alias; path: readonly unknown[] }[] = [];
  visit(document, {
    Map: (_, { items }) => {
      mistakes.push(...findKeyMistakes(items));
    },
    Scalar: (_, scalar) => {
      const message = scalar.tag === "!" ? lostMark : textProblem(scalar.value);
      if (message) mistakes.push({ offset: nodeStart(scalar), message });
    },
    Alias: (_, alias, path) => {
      aliases.push({ alias, path });
    },
  });
  return [...mistakes, ...findAliasMistakes(aliases, document)];
}

/** Grammar mistakes. One mistake causes several errors on its line; the first is the one to correct. */
export function findGrammarMistakes(
  { errors, warnings }: Document.Parsed,
  counter: LineCounter,
): YamlMistake[] {
  const seen = new Set<number>();
  return [...errors, ...warnings].flatMap(({ code, message, pos: [offset] }) => {
    const { line } = counter.linePos(offset);
    if (seen.has(line)) return [];
    seen.add(line);
    const hint = hints[message] ?? hints[code];
    return [{ offset, message: hint ? `${message}; ${hint}` : message }];
  });
}

/** Corrections by message, else by code. The library's own message comes first, because people can look it up. */
const hints: Record<string, string> = {
  TAB_AS_INDENT: "indent with spaces",
  TAG_RESOLVE_FAILED: "put a text that begins with ! in quotes, or remove the tag",
  BAD_SCALAR_START: "put the text in quotes",
  BAD_DQ_ESCAPE: "write \\\\ for a backslash, or use single quotes",
  BAD_INDENT: "move it to the column of its neighbours",
  "Nested mappings are not allowed in compact mappings":
    'put a text that holds ": " in quotes, or correct the indentation',
  "Implicit keys need to be on a single line":
    'correct the indentation, or put ": " (with the space) after the key',
  "Implicit map keys need to be followed by map values": 'put ": " (with the space) after the key',
  "Unexpected scalar at node end": "put the whole text in one pair of quotes",
};

function findKeyMistakes(pairs: readonly Pair[]): YamlMistake[] {
  const seen = new Set<unknown>();
  return pairs.flatMap(({ key }) => {
    const problem = keyProblem(key);
    if (problem) return [{ offset: nodeStart(key), message: problem }];
    const name = isScalar(key) ? key.value : undefined;
    if (seen.has(name)) {
      return [{ offset: nodeStart(key), message: repeatedKey(String(name)), isRepeat: true }];
    }
    seen.add(name);
    return [];
  });
}

function keyProblem(key: unknown): string | undefined {
  if (!isScalar(key)) return "keys must be plain text";
  const name = String(key.value);
  if (forbiddenKeys.has(name)) return `the key "${name}" is not allowed; remove it`;
  if (oddSpace.test(name)) return oddSpaceMessage;
  return name === "<<" ? 'merge keys ("<<") are not supported; write the values out' : undefined;
}

/** `cmd: ! grep -q x` would run without its negation. */
const lostMark = `to YAML the ! is a tag and no part of the text; ${hints.TAG_RESOLVE_FAILED}`;

function textProblem(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (value.includes("\0")) return "the text holds a NUL character, written as \\0; remove it";
  return value.isWellFormed() ? undefined : "the text holds half of a character; remove it";
}

function findAliasMistakes(
  aliases: readonly { alias: Alias; path: readonly unknown[] }[],
  document: Document.Parsed,
): YamlMistake[] {
  const excess = aliases[maxAliases];
  if (excess) {
    const message = `more than ${maxAliases} aliases (*name) are used; write the values out`;
    return [{ offset: nodeStart(excess.alias), message }];
  }
  return aliases.flatMap(({ alias, path }) => {
    const target: Node | undefined = alias.resolve(document);
    if (target && !path.includes(target)) return [];
    return [{ offset: nodeStart(alias), message: describeAlias(alias.source, target) }];
  });
}

/** A glob that begins with `*` is an alias to YAML. */
function describeAlias(name: string, target: Node | undefined): string {
  if (target) return `the alias *${name} is inside its own anchor`;
  return /[*/.?]/.test(name)
    ? `a pattern that begins with * needs quotes; write "*${name}"`
    : `the alias *${name} has no anchor before it`;
}

/** Start of the key or item the path ends at, or of the last part of the path that exists. */
export function offsetInYaml(document: Document.Parsed, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = nodeStart(node);
  for (const step of path) {
    const found = findStep(isAlias(node) ? node.resolve(document) : node, step);
    if (!found) break;
    offset = nodeStart(found.key);
    node = found.value;
  }
  return offset;
}

function findStep(node: unknown, step: PropertyKey): { key: unknown; value: unknown } | undefined {
  // Of repeated keys the last one counts.
  if (isMap(node)) return node.items.findLast(({ key }) => isScalar(key) && key.value === step);
  if (!isSeq(node) || typeof step !== "number") return undefined;
  const item = node.items[step];
  return item === undefined ? undefined : { key: item, value: item };
}

function nodeStart(node: unknown): number {
  const { range } = (node ?? {}) as Partial<Node>;
  return range?.[0] ?? 0;
}
