import { type Block, outline } from "./outline.ts";

/** Where the JSON of a task list stands in a Markdown text, or why it cannot be said. */
export type FoundBlock =
  | { kind: "found"; start: number; end: number; heading: number; remarks: Remark[] }
  | { kind: "missing"; remark: Remark };
export type Remark = { offset: number; message: string };

const title = /^task list:?$/i;

/** The first fenced JSON block below the heading "Task List" (compatibility 1.19); blocks before it are none of it. */
export function findTaskBlock(text: string): FoundBlock {
  const blocks = outline(text);
  const headings = blocks.filter((block) => block.kind === "heading" && title.test(block.text));
  const found = headings.flatMap((heading) => {
    const [block, second] = sectionOf(blocks, heading).filter((each) => isTaskFence(each, text));
    return block ? [{ heading, block, second }] : [];
  });
  const [first] = found;
  if (!first) return { kind: "missing", remark: whatIsMissing(headings[0]) };
  const others = [first.second, ...found.slice(1).map(({ block }) => block)].flatMap((each) =>
    each ? { offset: each.start, message: "is a second block of JSON; it is not read" } : [],
  );
  const { start, end } = first.block;
  return { kind: "found", start, end, heading: first.heading.start, remarks: others };
}

function whatIsMissing(heading: Block | undefined): Remark {
  const message = heading
    ? 'has no block of JSON below it; add one between "```json" and "```"'
    : 'has no section "## Task List" with a block of JSON';
  return { offset: heading?.start ?? 0, message };
}

/** What follows a heading, up to the next one that is not below it. */
export function sectionOf(blocks: readonly Block[], heading: Block): Block[] {
  const after = blocks.slice(blocks.indexOf(heading) + 1);
  const level = heading.kind === "heading" ? heading.level : 0;
  const next = after.findIndex((block) => block.kind === "heading" && block.level <= level);
  return next < 0 ? after : after.slice(0, next);
}

function isTaskFence(block: Block, text: string): boolean {
  if (block.kind !== "fence") return false;
  const [language = ""] = block.info.toLowerCase().split(/[\s{]/);
  return (
    language === "json" || (language === "" && /^\s*\[/.test(text.slice(block.start, block.end)))
  );
}

/** The text with nothing but one part of it, everything at its place: for parsers that tell places. */
export function onlyPart(text: string, { start, end }: { start: number; end: number }): string {
  return text.slice(0, start).replace(/[^\r\n]/g, " ") + text.slice(start, end);
}
