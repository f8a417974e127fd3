import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  visit,
} from "yaml";
import type { Problem } from "../error.ts";
import { decodeText } from "./decode-text.ts";
import { offsetInYaml, startOf } from "./offset-in-yaml.ts";
import { forbiddenKeys, maxDepth, type ParsedText, type TextSource } from "./parsed-text.ts";

/** Enough for a gate list that is used twice; far too little for a bomb (T61). */
const maxAliases = 16;

type Mistake = { offset: number; message: string };

/**
 * YAML 1.2 core with the place of every value (T61): one document, plain text keys that stand once, no tags
 * of anybody's own, no merge keys, few aliases, bounded depth. Linear in the text, which the caller bounds.
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
  const composed = compose(text, counter);
  if (composed.kind === "refused") {
    const problems = composed.mistakes.map(
      ({ offset, message }): Problem => ({ file: source.file, ...positionOf(offset), message }),
    );
    return { kind: "refused", problems };
  }
  const { document } = composed;
  // The number of aliases is bounded already, so the library need not count what they unfold to.
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  const locate = (path: readonly PropertyKey[]) => positionOf(offsetInYaml(document, path));
  return { kind: "parsed", value, text, locate };
}

type Composed =
  | { kind: "composed"; document: Document.Parsed }
  | { kind: "refused"; mistakes: Mistake[] };

function compose(text: string, counter: LineCounter): Composed {
  const tokens = [...new Parser(counter.addNewLine).parse(text)];
  const tooDeep = findTooDeep(tokens);
  if (tooDeep !== undefined) {
    const message = `is nested more than ${maxDepth} levels deep`;
    return { kind: "refused", mistakes: [{ offset: tooDeep, message }] };
  }
  const [document, ...others] = new Composer(composerOptions).compose(tokens, true, text.length);
  if (!document) return { kind: "refused", mistakes: [{ offset: 0, message: "is empty" }] };
  const second = others.slice(0, 1).map((other) => ({
    offset: other.range[0],
    message: "a second document starts here; keep one",
  }));
  const mistakes = [...second, ...findMistakes(document)];
  return mistakes.length > 0 ? { kind: "refused", mistakes } : { kind: "composed", document };
}

const composerOptions = {
  schema: "core",
  version: "1.2",
  merge: false,
  resolveKnownTags: false,
  stringKeys: true,
  // The library compares every key with every other; ours is linear.
  uniqueKeys: false,
} as const;

/** Walks without calling itself: composing a document does, and would run out of stack. */
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

function findMistakes(document: Document.Parsed): Mistake[] {
  const { errors, warnings } = document;
  const mistakes = [...errors, ...warnings].map(({ message, pos: [offset] }) => ({
    offset,
    message,
  }));
  const aliases: { alias: Alias; path: readonly unknown[] }[] = [];
  visit(document, {
    Map: (_, { items }) => {
      mistakes.push(...findKeyMistakes(items));
    },
    Alias: (_, alias, path) => {
      aliases.push({ alias, path });
    },
  });
  return [...mistakes, ...findAliasMistakes(aliases, document)];
}

function findKeyMistakes(pairs: readonly Pair[]): Mistake[] {
  const seen = new Set<unknown>();
  return pairs.flatMap(({ key }) => {
    const message = keyProblem(key, seen);
    if (isScalar(key)) seen.add(key.value);
    return message ? [{ offset: startOf(key), message }] : [];
  });
}

function keyProblem(key: unknown, seen: ReadonlySet<unknown>): string | undefined {
  if (!isScalar(key)) return "keys must be plain text";
  const name = String(key.value);
  if (forbiddenKeys.has(name)) return `the key "${name}" is not allowed; remove it`;
  if (name === "<<") return 'merge keys ("<<") are not supported; write the values out';
  return seen.has(key.value) ? `the key "${name}" stands here twice; remove one` : undefined;
}

function findAliasMistakes(
  aliases: readonly { alias: Alias; path: readonly unknown[] }[],
  document: Document.Parsed,
): Mistake[] {
  const excess = aliases[maxAliases];
  if (excess) {
    const message = `more than ${maxAliases} aliases (*name) are used; write the values out`;
    return [{ offset: startOf(excess.alias), message }];
  }
  return aliases.flatMap(({ alias, path }) => {
    const target: Node | undefined = alias.resolve(document);
    if (target && !path.includes(target)) return [];
    const message = `the alias *${alias.source} ${target ? "stands inside its own anchor" : "has no anchor before it"}`;
    return [{ offset: startOf(alias), message }];
  });
}
