import { Composer, type CST, type Document, isScalar, LineCounter, Parser } from "yaml";
import type { Problem } from "../error.ts";
import { decodeText } from "./decode-text.ts";
import { findGrammarMistakes, findYamlMistakes, type YamlMistake } from "./find-yaml-mistakes.ts";
import { findForeignText } from "./foreign-text.ts";
import { offsetInYaml } from "./offset-in-yaml.ts";
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
  const composed = compose(text, counter);
  if (composed.kind === "refused") {
    const foreign = composed.isYaml ? undefined : findForeignText(text);
    const mistakes = foreign
      ? [foreign]
      : composed.mistakes.map(({ offset, message }) => ({ ...positionOf(offset), message }));
    const problems = mistakes.map((mistake): Problem => ({ file: source.file, ...mistake }));
    const { readable } = composed;
    return { kind: "refused", problems, ...(readable && { readable: located(readable) }) };
  }
  return { kind: "parsed", text, ...located(composed.document) };
}

type Composed =
  | { kind: "composed"; document: Document.Parsed }
  | {
      kind: "refused";
      mistakes: YamlMistake[];
      isYaml: boolean;
      /** Set when repeated keys are the only mistakes. */
      readable?: Document.Parsed;
    };

function compose(text: string, counter: LineCounter): Composed {
  const tokens = [...new Parser(counter.addNewLine).parse(text)];
  const tooDeep = findTooDeep(tokens);
  if (tooDeep !== undefined) {
    const message = `is nested more than ${maxDepth} levels deep`;
    return { kind: "refused", mistakes: [{ offset: tooDeep, message }], isYaml: true };
  }
  const [document, ...others] = new Composer(composerOptions).compose(tokens, true, text.length);
  if (!document) return { kind: "refused", mistakes: [isBlank], isYaml: true };
  const second = others.slice(0, 1).map((other) => ({
    offset: other.range[0],
    message: "a second document starts here; keep one",
  }));
  const grammar = findGrammarMistakes(document, counter);
  const mistakes: YamlMistake[] = [...grammar, ...findYamlMistakes(document), ...second];
  if (mistakes.length > 0) {
    const sorted = mistakes.toSorted((a, b) => a.offset - b.offset);
    const isReadable = mistakes.every(({ isRepeat }) => isRepeat);
    return {
      kind: "refused",
      mistakes: sorted,
      isYaml: grammar.length === 0,
      ...(isReadable && { readable: document }),
    };
  }
  if (isEmpty(document)) return { kind: "refused", mistakes: [isBlank], isYaml: true };
  return { kind: "composed", document };
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
