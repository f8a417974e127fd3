/** Elements whose content a page hides or folds. */
const unseen = new Set(["script", "style", "template", "title", "textarea", "noscript", "details"]);
const unseenByLook =
  /\shidden(?=[\s=>/]|$)|(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?![.\d]*[1-9])|font-size\s*:\s*0(?![.\d]*[1-9])|(?:^|[^-\w])color\s*:\s*(?:transparent|#fff(?:fff)?\b|white))/i;
const empty = new Set(["br", "hr", "img", "input", "meta", "link", "area", "source", "wbr"]);

const starts: readonly [opening: string, closing: string][] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<!", ">"],
  ["<?", "?>"],
];

/** A text without markup, and how many hidden pieces it held. */
export type Unmarked = { text: string; hidden: number };

/**
 * Removes HTML: comments, tags with their attributes, and the content of hidden elements (T02). Line numbers do not
 * change. The rest holds nothing that a second pass would take for a tag. Linear in the text (T62).
 */
export function withoutMarkup(text: string): Unmarked {
  if (!text.includes("<")) return { text, hidden: 0 };
  const state: Scan = {
    text,
    pieces: [],
    hidden: 0,
    skipping: undefined,
    ends: tagEnds(text),
    lastEnds: starts.map(([, closing]) => text.lastIndexOf(closing)),
  };
  let from = 0;
  while (from < text.length) {
    const at = text.indexOf("<", from);
    keep(state, text.slice(from, at < 0 ? text.length : at));
    if (at < 0) break;
    from = step(state, at);
  }
  return { text: state.pieces.join(""), hidden: state.hidden };
}

type Scan = {
  text: string;
  pieces: string[];
  hidden: number;
  /** The hidden element around the current position, and how many of its name are open. */
  skipping: { name: string; depth: number } | undefined;
  ends: (at: number) => number;
  /** The index of the last end of each special form; no search goes beyond it. */
  lastEnds: readonly number[];
};

function keep({ pieces, skipping }: Scan, piece: string): void {
  pieces.push(skipping ? lineEnds(piece) : piece);
}

function step(state: Scan, at: number): number {
  const { text } = state;
  const special = starts.findIndex(([opening]) => text.startsWith(opening, at));
  if (special >= 0) return skipSpecial(state, at, special);
  const [, slash, word] = tagStart(text, at) ?? [];
  const end = word === undefined ? -1 : state.ends(at + 1);
  if (word === undefined || end < 0) {
    // It stays a `<` only where the next character cannot start markup.
    keep(state, /[\s\d=]/.test(text[at + 1] ?? "") ? "<" : "‹");
    return at + 1;
  }
  const tag = text.slice(at, end + 1);
  takeTag(state, { tag, name: word.toLowerCase(), isClosing: slash === "/", at });
  return end + 1;
}

function tagStart(text: string, at: number): RegExpExecArray | null {
  const pattern = /<(\/?)([a-zA-Z][\w:.-]{0,60})/y;
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** An unclosed comment at the start of a line hides the rest of the text; elsewhere it is text. */
function skipSpecial(state: Scan, at: number, form: number): number {
  const { text, lastEnds } = state;
  const [opening, closing] = starts[form] ?? ["", ""];
  const from = at + opening.length;
  const end = (lastEnds[form] ?? -1) < from ? -1 : text.indexOf(closing, from);
  if (end < 0 && !/(?:^|\n)[ \t>*+-]*$/.test(text.slice(Math.max(0, at - 80), at))) {
    keep(state, "‹");
    return at + 1;
  }
  const after = end < 0 ? text.length : end + closing.length;
  state.pieces.push(lineEnds(text.slice(at, after)));
  state.hidden += 1;
  return after;
}

type Tag = { tag: string; name: string; isClosing: boolean; at: number };

function takeTag(state: Scan, tag: Tag): void {
  state.pieces.push(lineEnds(tag.tag));
  if (state.skipping) skipOn(state, state.skipping, tag);
  else if (isMention(state.text, tag)) state.pieces.push(tag.name);
  else openTag(state, tag);
}

function skipOn(state: Scan, skipping: NonNullable<Scan["skipping"]>, { name, isClosing }: Tag) {
  if (skipping.name !== name) return;
  skipping.depth += isClosing ? -1 : 1;
  if (skipping.depth === 0) state.skipping = undefined;
}

/** A tag alone in backticks is mentioned, not used. */
const isMention = (text: string, { tag, at }: Tag) =>
  text[at - 1] === "`" && text[at + tag.length] === "`";

function openTag(state: Scan, { tag, name, isClosing }: Tag): void {
  const isUnseen = unseen.has(name) || unseenByLook.test(tag);
  const hasContent = !isClosing && !empty.has(name) && !tag.endsWith("/>");
  if (isUnseen || /\s\w[\w-]*\s*=/.test(tag)) state.hidden += 1;
  if (isUnseen && hasContent) state.skipping = { name, depth: 1 };
}

/** A piece without its text, so that line numbers do not change. */
export const lineEnds = (piece: string): string => piece.replace(/[^\n]+/g, "");

/**
 * Finds where the tag that is open at an index ends, or -1: at the first `>` outside of quotes. Computed backwards for
 * all indexes at once, because any may be requested and a quote can reach to the end of the text.
 */
function tagEnds(text: string): (at: number) => number {
  const column = () => new Int32Array(text.length + 1).fill(-1);
  const [plain, single, double] = [column(), column(), column()];
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const after = { plain: next(plain, at), single: next(single, at), double: next(double, at) };
    const char = text[at] ?? "";
    plain[at] = char === ">" ? at : after[quotes[char] ?? "plain"];
    single[at] = char === "'" ? after.plain : after.single;
    double[at] = char === '"' ? after.plain : after.double;
  }
  return (at) => plain[at] ?? -1;
}

const quotes: Readonly<Record<string, "single" | "double">> = { "'": "single", '"': "double" };

const next = (column: Int32Array, at: number) => column[at + 1] ?? -1;
