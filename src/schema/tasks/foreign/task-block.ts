import { jsonValue } from "../../../text/json-value.ts";
import { findEntries } from "./entries.ts";
import { afterSection, type Block, type Heading, outline } from "./outline.ts";

/** The JSON block of a task list in a Markdown text, or why there is none. */
export type FoundBlock =
  | { kind: "found"; start: number; end: number; heading: number; remarks: Remark[] }
  | { kind: "missing"; isProse: boolean; remark: Remark };
export type Remark = { offset: number; message: string };

/** `## Task List`, `## 3. Task List:`, `## **Task List**`. */
const title = /^(?:\d+(?:\.\d+)*\.?\s)?[*_`]*task list:?[*_`]*:?$/i;

/** The first fenced JSON block below the heading "Task List" (compatibility 1.19); blocks before it do not count. */
export function findTaskBlock(text: string): FoundBlock {
  const blocks = outline(text);
  const { heading, fences } = belowTitle(blocks, text);
  const [first, ...others] = fences;
  if (!first) return { kind: "missing", ...whatIsMissing(text, { blocks, heading }) };
  const remarks = others.map(({ block }) => ({
    offset: block.start,
    message: "this is a second block of JSON; it is not read",
  }));
  const { start, end } = first.block;
  return { kind: "found", start, end, heading: first.heading.start, remarks };
}

type Below = { heading: Heading | undefined; fences: { heading: Heading; block: Block }[] };

/** The first heading of a task list, and all blocks of JSON below such headings, in one pass (T62). */
function belowTitle(blocks: readonly Block[], text: string): Below {
  const below: Below = { heading: undefined, fences: [] };
  let open: Heading | undefined;
  for (const block of blocks) {
    if (block.kind !== "heading") {
      if (open && isTaskFence(block, text)) below.fences.push({ heading: open, block });
    } else if (title.test(block.text)) {
      open = block;
      below.heading ??= block;
    } else if (open && block.level <= open.level) {
      open = undefined;
    }
  }
  return below;
}

type Known = { blocks: readonly Block[]; heading: Heading | undefined };

/** Reports the place of something that resembles a task list; a text without that is prose. */
function whatIsMissing(text: string, known: Known): { isProse: boolean; remark: Remark } {
  const near = nearMiss(text, known);
  if (near) return { isProse: false, remark: near };
  const { heading } = known;
  const message = heading
    ? 'has no block of JSON below it; add one between "```json" and "```"'
    : 'has no heading "## Task List" with the tasks below it, in a block of JSON';
  return { isProse: !heading, remark: { offset: heading?.start ?? 0, message } };
}

function nearMiss(text: string, { blocks, heading }: Known): Remark | undefined {
  if (heading) {
    const from = heading.end;
    const end = afterSection(blocks, heading)?.start ?? text.length;
    const moved = /^(?: {4}|\t)[ \t]*(?:```|~~~)/m.exec(text.slice(from, end));
    const message = "is indented too far to begin a block; move it to the start of its line";
    return moved ? { offset: from + moved.index, message } : undefined;
  }
  const hidden = /^[ \t>]*#{1,6}[ \t]+task list/im.exec(text);
  if (hidden) {
    const message = "is inside of HTML, a quotation or a block of code; move it out";
    return { offset: hidden.index, message: `${message}, with an empty line above` };
  }
  const fences = blocks.filter((block) => block.kind === "fence");
  const list = fences.find((block) => isTaskFence(block, text) && holdsEntries(block, text));
  const message = 'holds a list, but below no heading "## Task List"; write that line above it';
  return list && { offset: list.mark, message };
}

function holdsEntries({ start, end }: Block, text: string): boolean {
  const entries = findEntries(jsonValue(text.slice(start, end)));
  return entries?.items.some((item) => typeof item === "object") ?? false;
}

const languages = ["json", "jsonc", "json5"];

function isTaskFence(block: Block, text: string): boolean {
  if (block.kind !== "fence") return false;
  const [language = ""] = block.info.toLowerCase().split(/[\s{]/);
  if (languages.includes(language)) return true;
  return language === "" && /^\s*\[/.test(text.slice(block.start, block.end));
}

/** The text with everything except one part blanked, so that parsers report the original positions. */
export function onlyPart(text: string, { start, end }: { start: number; end: number }): string {
  return text.slice(0, start).replace(/[^\r\n]/g, " ") + text.slice(start, end);
}
