import { Composer, type CST, type Document, isScalar, LineCounter, Parser } from "yaml";
import type { Problem } from "../error.ts";
import { decodeText, findForeignText } from "./decode-text.ts";
import {
  findGrammarMistakes,
  findYamlMistakes,
  offsetInYaml,
  type YamlMistake,
} from "./find-yaml-mistakes.ts";
import { type LocatedValue, maxDepth, type ParsedText, type TextSource } from "./parsed-text.ts";

/**
 * Parses YAML 1.2 core with the position of every value (T61): one document, unique plain text keys, no custom tags, no
 * merge keys, few aliases, limited depth. Linear in the text, whose size the caller limits.
 */
export function parseYaml(source: TextSource): ParsedText {
  const decoded = decodeText(source);
  if (decoded.kind === "refused") return decoded;
  const { text } = decoded;
  const counter = new LineCounter();
  const positionOf = (offset: number) => {
    const { line, col } = counter.linePos(offset);
    return { line, column: col };
  };
  const located = (document: Document.Parsed): LocatedValue => ({
    // The number of aliases is limited already, so the library need not count their expansion.
    value: document.toJS({ maxAliasCount: -1 }),
    locate: (path) => positionOf(offsetInYaml(document, path)),
  });
  const { document, mistakes, isYaml } = compose(text, counter);
  if (document && mistakes.length === 0) return { kind: "parsed", text, ...located(document) };
  const foreign = isYaml ? undefined : findForeignText(text);
  const found = foreign
    ? [foreign]
    : mistakes.map(({ offset, message }) => ({ ...positionOf(offset), message }));
  const problems = found.map((mistake): Problem => ({ file: source.file, ...mistake }));
  const isReadable = document && mistakes.every(({ isRepeat }) => isRepeat);
  return { kind: "refused", problems, ...(isReadable && { readable: located(document) }) };
}

/** The document, if there is one, and its mistakes in order. `isYaml`: its grammar is sound. */
function compose(
  text: string,
  counter: LineCounter,
): { document?: Document.Parsed; mistakes: YamlMistake[]; isYaml: boolean } {
  const tokens = [...new Parser(counter.addNewLine).parse(text)];
  const tooDeep = findTooDeep(tokens);
  if (tooDeep !== undefined) {
    const message = `is nested more than ${maxDepth} levels deep`;
    return { mistakes: [{ offset: tooDeep, message }], isYaml: true };
  }
  const [document, second] = new Composer(composerOptions).compose(tokens, true, text.length);
  if (!document) return { mistakes: [isBlank], isYaml: true };
  const message = "a second document starts here; keep one";
  const grammar = findGrammarMistakes(document, counter);
  const mistakes = [
    ...grammar,
    ...findYamlMistakes(document),
    ...(second ? [{ offset: second.range[0], message }] : []),
  ];
  if (mistakes.length === 0 && isEmpty(document)) return { mistakes: [isBlank], isYaml: true };
  const sorted = mistakes.toSorted((a, b) => a.offset - b.offset);
  return { document, mistakes: sorted, isYaml: grammar.length === 0 };
}

/** Nothing, or null in one of its spellings. */
const isEmpty = ({ contents }: Document.Parsed) =>
  contents === null || (isScalar(contents) && contents.value === null);

const isBlank: YamlMistake = {
  offset: 0,
  message: "holds no keys; write it again, or restore it with `git checkout`",
};

const composerOptions = {
  schema: "core",
  version: "1.2",
  merge: false,
  resolveKnownTags: false,
  stringKeys: true,
  // The library compares every pair of keys; this check is linear.
  uniqueKeys: false,
} as const;

/** Walks without recursion, because composing a deep document would exhaust the stack. */
function findTooDeep(tokens: readonly CST.Token[]): number | undefined {
  const queue = tokens.map((token) => ({ token, depth: 0 }));
  // The queue grows while it is walked.
  for (const { token, depth } of queue) {
    if (depth > maxDepth) return token.offset;
    for (const child of childrenOf(token)) queue.push({ token: child, depth: depth + 1 });
  }
  return undefined;
}

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === "document") return token.value ? [token.value] : [];
  if (!("items" in token)) return [];
  return token.items.flatMap(({ key, value }) => [key ?? [], value ?? []].flat());
}

/** A block of YAML between two lines `---` at the very top. */
const fenced = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;

/** The YAML at the top of a Markdown text as a value, with its positions in the whole file. */
export function parseFrontMatter(source: TextSource): ParsedText {
  const decoded = decodeText(source);
  if (decoded.kind === "refused") return decoded;
  const { text } = decoded;
  const { file, maxBytes } = source;
  const block = blockOf(text);
  if (block === undefined) {
    const message = 'has no front matter; begin it with a line "---", the keys, and a line "---"';
    return { kind: "refused", problems: [{ file, line: 1, column: 1, message }] };
  }
  // A comment replaces the first line, so the numbers of all other lines stay.
  const parsed = parseYaml({ bytes: Buffer.from(`#\n${block}`), file, maxBytes });
  return parsed.kind === "parsed" ? { ...parsed, text } : parsed;
}

/** Whether a text begins with front matter. */
export function hasFrontMatter(text: string): boolean {
  return blockOf(text) !== undefined;
}

function blockOf(text: string): string | undefined {
  const match = fenced.exec(text);
  return match?.index === 0 ? match[1] : undefined;
}
