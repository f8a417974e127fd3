import createParser, { type MarkdownIt, type Token } from "markdown-it";

/** A block of a Markdown text. Offsets count UTF-16 units; a fence's are those of what stands between its marks. */
export type Block = { start: number; end: number } & (
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "fence"; info: string }
  | { kind: "rule" }
);

let parser: MarkdownIt | undefined;

/**
 * Headings, paragraphs, rules and fences in their order, as CommonMark sees them: what stands in a comment, a quotation or
 * another fence is none. Marks within a line are left as they are, and time is linear in the text.
 */
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

function blocksOnly(): MarkdownIt {
  const markdown = createParser("commonmark");
  // What stands inside of lines is of no interest here.
  markdown.core.ruler.enableOnly(["normalize", "block"]);
  return markdown;
}

type Place = { lines: readonly number[]; next: Token | undefined; text: string };

function blockOf(token: Token, { lines, next, text }: Place): Block[] {
  if (!token.map) return [];
  const [first, last] = token.map;
  const at = (line: number) => lines[line] ?? text.length;
  const place = { start: at(first), end: at(last) };
  const content = plainText(next?.content ?? "");
  if (token.type === "fence") {
    const isClosed = last - first > 1 && isFenceEnd(text.slice(at(last - 1), at(last)), token);
    const end = at(isClosed ? last - 1 : last);
    return [{ kind: "fence", info: token.info.trim(), start: at(first + 1), end }];
  }
  if (token.level > 0) return [];
  if (token.type === "hr") return [{ kind: "rule", ...place }];
  if (token.type === "paragraph_open") return [{ kind: "paragraph", text: content, ...place }];
  if (token.type !== "heading_open") return [];
  return [{ kind: "heading", level: Number(token.tag.slice(1)), text: content, ...place }];
}

const isFenceEnd = (line: string, { markup }: Token) =>
  new RegExp(`^\\s*${markup}${markup[0]}*\\s*$`).test(line);

/** On one line, and without the backslashes that only take a mark its meaning. */
const plainText = (text: string) =>
  text
    .replace(/\s+/g, " ")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .trim();

function lineStarts(text: string): number[] {
  const breaks = Array.from(text.matchAll(/\r\n?|\n/g));
  return [0, ...breaks.map((mark) => mark.index + mark[0].length)];
}

/** Every character keeps its place. A byte order mark would hide what the first line is. */
function withoutFrontMatter(text: string): string {
  const plain = text.replace(/^\uFEFF/, " ");
  const match = /^ ?---[ \t]*\r?\n[\s\S]*?^---[ \t]*(?:\r?\n|$)/m.exec(plain);
  if (match?.index !== 0) return plain;
  return match[0].replace(/[^\r\n]/g, " ") + plain.slice(match[0].length);
}
