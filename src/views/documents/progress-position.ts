import {
  eachMarkdownLine,
  isRule,
  type MarkdownLine,
  markdownLines,
} from "../../text/markdown-lines.ts";

type InsertPosition = { kind: "after-rule" | "before-entry" | "at-end"; offset: number };

const patternsHeading = /^##\s+Codebase Patterns\s*$/i;
const entryHeading = /^##\s+\[?(\d{4}-\d{2}-\d{2})(?:[ T](\d\d:\d\d(?::\d\d)?))?/;

/** The lines of a log up to its first entry, enough to add one; a log without patterns is read to its end. */
export function headLines(text: string): MarkdownLine[] {
  const lines: MarkdownLine[] = [];
  let isInPatterns = false;
  for (const line of eachMarkdownLine(text)) {
    lines.push(line);
    if (isInPatterns && (isRule(line) || isEntry(line))) return lines;
    isInPatterns ||= isPatternsHeading(line);
  }
  return lines;
}

/** After the rule that closes the patterns block, or the log's head when it has no such block. */
export function findInsertPosition(lines: readonly MarkdownLine[]): InsertPosition {
  for (const line of lines.slice(lines.findIndex(isPatternsHeading) + 1)) {
    if (isRule(line)) return { kind: "after-rule", offset: line.end };
    if (isEntry(line)) return { kind: "before-entry", offset: line.start };
  }
  return { kind: "at-end", offset: lines.at(-1)?.end ?? 0 };
}

/** The patterns block from its heading to the rule or entry that ends it; undefined when there is no block. */
export function findPatterns(
  lines: readonly MarkdownLine[],
): [heading: MarkdownLine, ...rest: MarkdownLine[]] | undefined {
  const first = lines.findIndex(isPatternsHeading);
  const heading = lines[first];
  if (!heading) return undefined;
  const { kind, offset } = findInsertPosition(lines);
  const rest = lines.slice(first + 1).filter(({ end }) => end <= offset);
  return [heading, ...(kind === "after-rule" ? rest.slice(0, -1) : rest)];
}

/** Whether most entries of a log are in ascending order. New entries still go on top (compatibility 1.20). */
export function isOldestFirst(text: string): boolean {
  const times = markdownLines(text)
    .filter(isEntry)
    .map((line) => entryHeading.exec(line.text)?.slice(1).filter(Boolean).join(" ") ?? "");
  const steps = times.slice(1).map((time, at) => compareTimes(times[at] ?? "", time));
  return steps.reduce((sum, step) => sum + step, 0) > 0;
}

/** 1: the second is later. A day without a time is equal to every time of that day. */
function compareTimes(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  const [first, second] = [one.slice(0, length), other.slice(0, length)];
  if (first === second) return 0;
  return first < second ? 1 : -1;
}

const isEntry = ({ text, isOpaque }: MarkdownLine) => !isOpaque && entryHeading.test(text);

const isPatternsHeading = ({ text, isOpaque }: MarkdownLine) =>
  !isOpaque && patternsHeading.test(text);
