/** A line of a file with another meaning: what tests of that line should notice. */
export interface Mutant {
  /** From 1. */
  line: number;
  before: string;
  after: string;
}

/** A line and its number in its file; `replaces`: another line was there. */
export type NumberedLine = { line: number; text: string; replaces?: true };

/**
 * Lines of code with one value, comparison or call changed, the most telling first: a test of what the line does has to
 * fail. Lines that resemble those they replace come first. Pure text, so it fits most languages; what does not compile afterwards says nothing, and is not counted.
 */
export function mutantsOf(
  path: string,
  lines: readonly NumberedLine[],
  replacedLines: readonly NumberedLine[] = [],
): Mutant[] {
  const active = lines.filter(({ text }) => text.length <= maxLength && !isPassive(text));
  const changed = changedBy(mutate, { path, lines: active });
  const found = changed.length > 0 ? changed : changedBy(stop, { path, lines: active });
  const replacing = new Set(lines.filter(({ replaces }) => replaces).map(({ line }) => line));
  const rank = ({ line, before }: Mutant) =>
    (replacing.has(line) ? 15 : 0) +
    likeness(before, replacedLines) +
    (isTelling(before) ? 10 : 0) -
    (setsMember.test(before) ? 20 : 0);
  return apart(found.toSorted((a, b) => rank(b) - rank(a)));
}

type Source = { path: string; lines: readonly NumberedLine[] };

const changedBy = (mutation: Mutation, { path, lines }: Source): Mutant[] =>
  lines.flatMap(({ line, text }) => {
    const after = mutation(text, path);
    return after === undefined || after === text ? [] : [{ line, before: text, after }];
  });

/** Lines far from each other first: neighbours often do the same, so one of them says what the others would. */
function apart(ranked: readonly Mutant[]): Mutant[] {
  const first: Mutant[] = [];
  for (const mutant of ranked) {
    if (first.every(({ line }) => Math.abs(line - mutant.line) >= farLines)) first.push(mutant);
  }
  return [...first, ...ranked.filter((mutant) => !first.includes(mutant))];
}

const farLines = 10;

/** How much of its beginning a line shares with one it replaced: it does then what tests of the old line asked for. Indentation does not count. */
function likeness(text: string, replacedLines: readonly NumberedLine[]): number {
  const own = [...text.trimStart()];
  const shared = replacedLines.map(({ text: line }) => {
    const old = line.trimStart();
    const at = own.findIndex((character, index) => character !== old[index]);
    return at < 0 ? own.length : at;
  });
  const most = Math.max(0, ...shared);
  return most >= 12 ? most : 0;
}

const setsMember = /^\s*[\w.]+(?:\.\w+|\[[^\]]*\])\s*=[^=>]/;

const maxLength = 400;

/** Comments, logging, reserved memory, and lines that name other files, do nothing a test could notice. */
const isPassive = (text: string) =>
  /^\s*(?:\/\/|#|\/?\*|--|<!--|"""|'''|import\b|from\b|require\b|use\b|using\b|package\b|include\b|@|export\s+(?:\*|\{))/.test(
    text,
  ) ||
  /\b(?:with_capacity|reserve(?:_exact)?|ensureCapacity)\(/.test(text) ||
  /\b(?:console|log|logger|logging)\.\w+\(|\brequire\(|\bimport\(|\bexit\w*\(|\babort\(|(?:assert|expect)\b/i.test(
    text,
  );

/** Tests cover the results and decisions of a function more often than its preparations and the defaults of its parameters. */
const isTelling = (text: string) =>
  /\breturn\b|=>(?!\s*\{\s*$)|\bif\b|\?|:=/.test(text) &&
  !/\b(?:throw|raise|log|print\w*|warn|debug)\b/.test(text);

type Mutation = (text: string, path: string) => string | undefined;

/** Replaces the first match outside of quoted text. */
const replaced =
  (pattern: RegExp, by: (match: string) => string): Mutation =>
  (text) => {
    const match = pattern.exec(text.replace(quoted, (whole) => '"'.repeat(whole.length)));
    if (!match) return undefined;
    const [found] = match;
    return `${text.slice(0, match.index)}${by(found)}${text.slice(match.index + found.length)}`;
  };

const quoted = /(["'`])(?:(?!\1)[^\\]|\\.)*\1/g;

const opposite: Record<string, string> = {
  "===": "!==",
  "!==": "===",
  "==": "!=",
  "!=": "==",
  "<=": ">",
  ">=": "<",
  "<": ">=",
  ">": "<=",
  "&&": "||",
  "||": "&&",
  true: "false",
  false: "true",
  True: "False",
  False: "True",
  and: "or",
  or: "and",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
};
const turned = (match: string) =>
  match.replace(/\S+/, (operator) => opposite[operator] ?? operator);

/** In order: the first that fits a line is taken. */
const mutations: readonly Mutation[] = [
  raiseNothing,
  returnNothing,
  returnDefault,
  replaced(/ (?:[!=]==?|<=|>=|<|>) (?!=)/, turned),
  // An option of a call often has no effect by itself.
  replaced(/(?<!\w=)\b(?:true|false|True|False)\b/, turned),
  replaced(/ (?:&&|\|\||and|or) /, turned),
  replaced(/(?<=[^\w.#$])(?<!\w=)\d+(?![\w.])/, (digits) => String(Number(digits) + 1)),
  emptyText,
  replaced(/ [+\-*/] /, turned),
  returnEmpty,
  callNothing,
];

const mutate: Mutation = (text, path) =>
  mutations.map((mutation) => mutation(text, path)).find((after) => after !== undefined);

/** Code without a value to change, such as an empty function, fails when it is reached: only a test that calls it notices. */
const stops: readonly { of: RegExp; pattern: RegExp; by: string }[] = [
  { of: /\.py$/, pattern: /^(\s*)(?:pass|\.\.\.)(\s*)$/, by: "$1raise Exception$2" },
  { of: /\.go$/, pattern: /^(.*\{\s*|\s*)return\b/, by: "$1panic(0); return" },
  {
    of: /\.[cm]?[jt]sx?$/,
    pattern: /((?:\)|=>)\s*)\{\s*\}(?=[\s;,)]*$)/,
    by: "$1{ throw 0; }",
  },
];

const stop: Mutation = (text, path) => {
  const found = stops.find(({ of }) => of.test(path));
  return found && text.replace(found.pattern, found.by);
};

const nothing: Record<string, string> = { py: "None", rb: "nil", php: "null", lua: "nil" };
for (const ext of ["js", "mjs", "cjs", "ts", "mts", "cts", "jsx", "tsx"])
  nothing[ext] = "undefined";

const lastCall = replaced(/\.\w+\([^()]*\)(?=[;,)\s]*$)/, () => "");

/** In Rust most calls change the type, so nothing compiles without them. */
function callNothing(text: string, path: string): string | undefined {
  return path.endsWith(".rs") ? undefined : lastCall(text, path);
}

/** Tests ask whether something is refused more often than with which words. */
function raiseNothing(text: string, path: string): string | undefined {
  const raised = path.endsWith(".py")
    ? /^(\s*)raise\b(.*)()$/.exec(text)
    : /^(.*?)\bthrow\b([^;]*)(;.*)$/.exec(text);
  if (!raised?.[2] || !balanced(raised[2])) return undefined;
  return `${raised[1]}${path.endsWith(".py") ? "pass" : ""}${raised[3]}`;
}

/** Later code often cleans away an addition to a text. The words of a message are for people. */
function emptyText(text: string): string | undefined {
  const first = /(["'`])(?:(?!\1)[^\\])+\1/.exec(text);
  if (!first || isMessage.test(text)) return undefined;
  const [whole, quote] = first;
  return `${text.slice(0, first.index)}${quote}${quote}${text.slice(first.index + whole.length)}`;
}

/** Statements that raise an error, and three words in a row. */
const isMessage =
  /\b(?:throw|raise|panic|\w*Error|\w*Exception|errorf?|fail)\b|(["'`])(?:(?!\1).)*?\w+ \w+ \w+/;

/** In languages that check no types before they run: `return x;` and `=> x;` answer nothing. */
function returnNothing(text: string, path: string): string | undefined {
  const empty = nothing[path.slice(path.lastIndexOf(".") + 1)];
  if (empty === undefined) return undefined;
  const isWhole = (answer: string) => answer.trim() !== "" && balanced(answer);
  const result = /^(\s*(?:.*[;{]\s*)?return\s+)([^;]+?)(\s*;?\s*\}?\s*)$/.exec(text);
  if (result?.[2] && isWhole(result[2])) return `${result[1]}${empty}${result[3]}`;
  const arrow = /^(.*=>\s*)([^{\s][^;]*?)(;\s*)$/.exec(text);
  return arrow?.[2] && isWhole(arrow[2]) ? `${arrow[1]}${empty}${arrow[3]}` : undefined;
}

/** In Rust: the last expression of a block, if its type has a default. */
function returnDefault(text: string, path: string): string | undefined {
  if (!path.endsWith(".rs")) return undefined;
  const result = /^(\s*(?:return\s+)?)(\w[^;{}]*\(.*\))(;?)$/.exec(text);
  const [, start, answer, end] = result ?? [];
  const isAnswer = answer !== undefined && (end === "" || /return/.test(start ?? ""));
  return isAnswer && balanced(answer) ? `${start}Default::default()${end}` : undefined;
}

/** In Go: nothing of a text or list. */
function returnEmpty(text: string, path: string): string | undefined {
  const result = path.endsWith(".go") && /^(\s*return\s+)([^,]+\(.*\))$/.exec(text);
  return result && balanced(result[2] ?? "") ? `${text}[:0]` : undefined;
}

/** Whether what is cut out closes every bracket that it opens. */
function balanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if ("([{".includes(character)) depth++;
    if (")]}".includes(character)) depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}
