/** A line of a Markdown file at `start` to `end`, including its line break. */
export interface MarkdownLine {
  text: string;
  start: number;
  end: number;
  /** Part of an HTML comment or a fenced block, so never a heading, bullet or rule. */
  isOpaque: boolean;
}

type Block = { kind: "comment" } | { kind: "fence"; marker: string } | undefined;

export const markdownLines = (text: string): MarkdownLine[] => [...eachMarkdownLine(text)];

/** Yields the lines one by one, for a reader that may stop early. */
export function* eachMarkdownLine(text: string): Generator<MarkdownLine> {
  let block: Block;
  for (let start = 0; start < text.length; ) {
    const lineBreak = text.indexOf("\n", start);
    const end = lineBreak < 0 ? text.length : lineBreak + 1;
    const line = text.slice(start, endOfText(text, { start, end }));
    const opened: Block = block ?? openedBy(line);
    yield { text: line, start, end, isOpaque: opened !== undefined };
    block = opened && !isClosedBy(line, opened, block !== undefined) ? opened : undefined;
    start = end;
  }
}

function endOfText(text: string, { start, end }: { start: number; end: number }): number {
  if (text[end - 1] !== "\n") return end;
  return end - start > 1 && text[end - 2] === "\r" ? end - 2 : end - 1;
}

const mayOpen = /^ {0,3}[`~<]/;

function openedBy(line: string): Block {
  // The fast path for nearly every line.
  if (!mayOpen.test(line)) return undefined;
  const [, marker] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
  if (marker) return { kind: "fence", marker };
  return /^ {0,3}<!--/.test(line) ? { kind: "comment" } : undefined;
}

function isClosedBy(line: string, block: NonNullable<Block>, wasOpen: boolean): boolean {
  if (block.kind === "comment") return line.includes("-->");
  const closing = line.trim();
  const isMarker = closing.startsWith(block.marker) && /^(.)\1*$/.test(closing);
  return wasOpen && isMarker;
}

const rule = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;

export function isRule({ text, isOpaque }: MarkdownLine): boolean {
  return !isOpaque && rule.test(text);
}

function lineBreakOf(text: string): "\r\n" | "\n" {
  return /\r\n/.test(text.slice(0, 64 * 1024)) ? "\r\n" : "\n";
}

/** Whether the text has this line, ignoring white space at its end. */
export function hasLine(text: string, line: string): boolean {
  for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + 1)) {
    const isStart = at === 0 || text[at - 1] === "\n";
    if (isStart && /^[^\S\n]*(?:\n|$)/.test(text.slice(at + line.length, at + line.length + 200)))
      return true;
  }
  return false;
}

/** The text of a file, or its template where it is missing or blank. */
export const orTemplate = (text: string | undefined, template: string): string =>
  text?.trim() ? text : insertAt(text ?? "", text?.length ?? 0, template);

export const findHeading = (lines: readonly MarkdownLine[], name: string): number => {
  const heading = new RegExp(`^##\\s+${name}\\s*$`, "i");
  return lines.findIndex(({ text, isOpaque }) => !isOpaque && heading.test(text));
};

/** Appends to a section, above blank lines at its end; a file without the section gets it at its end. */
export function appendToSection(
  file: string,
  name: string,
  { addition, isEnd }: { addition: string; isEnd: (line: MarkdownLine) => boolean },
): string {
  const lines = markdownLines(file);
  const first = findHeading(lines, name);
  if (first < 0) return insertAt(file, file.length, `\n## ${name}\n${addition}`);
  const next = lines.findIndex((line, at) => at > first && !line.isOpaque && isEnd(line));
  const section = lines.slice(first, next < 0 ? undefined : next);
  const last = section.findLast(({ text }) => text.trim() !== "");
  return insertAt(file, last?.end ?? file.length, addition);
}

/** Inserts `addition` at an offset. Its `\n` become the line break of the file. */
export function insertAt(text: string, offset: number, addition: string): string {
  const adapted = addition.replaceAll("\n", lineBreakOf(text));
  const before = text.slice(0, offset);
  const isOpenLine = before !== "" && !before.endsWith("\n");
  return before + (isOpenLine ? lineBreakOf(text) : "") + adapted + text.slice(offset);
}
