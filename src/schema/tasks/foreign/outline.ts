import createParser, { type MarkdownIt, type Token } from "markdown-it";

/** A block of a Markdown text. Offsets count UTF-16 units; those of a fence are of its content, `mark` is its first line. */
export type Block = { start: number; end: number } & (
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "fence"; info: string; mark: number }
  | { kind: "rule" }
);
export type Heading = Block & { kind: "heading" };

let parser: MarkdownIt | undefined;

/** Headings, paragraphs, rules and fences as CommonMark defines them, without comments and quotations. Linear in the text. */
export function outline(text: string): Block[] {
  parser ??= blocksOnly();
  const lines = lineStarts(text);
  const tokens = parser.parse(withoutFrontMatter(text), {});
  let quotes = 0;
  return tokens.flatMap((token, index) => {
    if (token.type.startsWith("blockquote")) quotes += token.nesting;
    return quotes > 0 ? [] : blockOf(token, { lines, next: tokens[index + 1], text });
  });
}

export const isHeading = (block: Block): block is Heading => block.kind === "heading";

/** The blocks after a heading, up to the next one that is not below it. */
export function sectionOf(blocks: readonly Block[], heading: Heading): Block[] {
  const next = afterSection(blocks, heading);
  return blocks.slice(blocks.indexOf(heading) + 1, next && blocks.indexOf(next));
}

/** The heading that ends a heading's section. */
export function afterSection(
  blocks: readonly Block[],
  { start, level }: Heading,
): Heading | undefined {
  return blocks.filter(isHeading).find((each) => each.start > start && each.level <= level);
}

function blocksOnly(): MarkdownIt {
  const markdown = createParser("commonmark");
  // The content of lines is not parsed.
  markdown.core.ruler.enableOnly(["normalize", "block"]);
  return markdown;
}

type BlockContext = { lines: readonly number[]; next: Token | undefined; text: string };

function blockOf(token: Token, { lines, next, text }: BlockContext): Block[] {
  if (!token.map) return [];
  const [first, last] = token.map;
  const at = (line: number) => lines[line] ?? text.length;
  const place = { start: at(first), end: at(last) };
  const content = plainText(next?.content ?? "");
  if (token.type === "fence") {
    const isClosed = last - first > 1 && isFenceEnd(text.slice(at(last - 1), at(last)), token);
    const end = at(isClosed ? last - 1 : last);
    const info = token.info.trim();
    return [{ kind: "fence", info, mark: place.start, start: at(first + 1), end }];
  }
  if (token.level > 0) return [];
  if (token.type === "hr") return [{ kind: "rule", ...place }];
  if (token.type === "paragraph_open") return [{ kind: "paragraph", text: content, ...place }];
  if (token.type !== "heading_open") return [];
  return [{ kind: "heading", level: Number(token.tag.slice(1)), text: content, ...place }];
}

function isFenceEnd(line: string, { markup }: Token): boolean {
  const mark = line.trim();
  return mark.length >= markup.length && mark === markup.charAt(0).repeat(mark.length);
}

/** On one line, and without the backslashes of escaped marks. */
const plainText = (text: string) =>
  text
    .replace(/\s+/g, " ")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .trim();

function lineStarts(text: string): number[] {
  const breaks = Array.from(text.matchAll(/\r\n?|\n/g));
  return [0, ...breaks.map((mark) => mark.index + mark[0].length)];
}

/** Blanks front matter, so that every character keeps its offset. A byte order mark would hide the first line's kind. */
function withoutFrontMatter(text: string): string {
  const plain = text.replace(/^\uFEFF/, " ");
  const [opening = ""] = /^ ?---[ \t]*\r?\n(?![ \t]*\r?\n)/.exec(plain) ?? [];
  const rest = plain.slice(opening.length);
  const closing = opening === "" ? null : /^---[ \t]*$/m.exec(rest);
  if (!closing) return plain;
  const end = opening.length + closing.index + closing[0].length;
  return plain.slice(0, end).replace(/[^\r\n]/g, " ") + plain.slice(end);
}
