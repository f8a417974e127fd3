import { type Block, outline } from "../../model/foreign/outline.ts";
import { findTaskBlock, sectionOf } from "../../model/foreign/task-block.ts";
import type { Prd } from "../../model/prd.ts";
import { renderProgress } from "./render-request.ts";
import { type RequestFormat, renderList } from "./request-list.ts";

type Edit = { start: number; end: number; text: string };

/**
 * A Markdown text with its block of JSON and its section "Progress" made anew; every other byte stays. Undefined when
 * it has no task list.
 */
export function updateRequest(
  text: string,
  prd: Prd,
  options: { format: RequestFormat; name: string },
): string | undefined {
  const block = findTaskBlock(text);
  if (block.kind === "missing") return undefined;
  const indent = indentOf(text, block.start);
  const list = `${indented(renderList(prd, options), indent)}\n`;
  const isOpen =
    block.end > block.start && text[block.end - 1] !== "\n" && block.end === text.length;
  const edits = [
    { start: block.start, end: block.end, text: isOpen ? list.trimEnd() : list },
    ...progressEdit(text, prd),
  ];
  return edits.toSorted((a, b) => b.start - a.start).reduce(apply, text);
}

function apply(text: string, { start, end, text: next }: Edit): string {
  const isWindows = /\r\n/.test(text.slice(0, 64 * 1024));
  const adapted = isWindows ? next.replaceAll("\n", "\r\n") : next;
  return text.slice(0, start) + adapted + text.slice(end);
}

/** How far the lines of the block are moved in: as far as the mark above them, which may follow a bullet. */
function indentOf(text: string, start: number): string {
  const above = text.slice(0, start).replace(/\r?\n$/, "");
  const line = above.slice(above.lastIndexOf("\n") + 1);
  return /^[^`~]*/.exec(line)?.[0].replace(/\S/g, " ") ?? "";
}

const indented = (text: string, indent: string) => text.replace(/^(?=.)/gm, indent);

/** From below the heading down to the next heading or rule. */
function progressEdit(text: string, prd: Prd): Edit[] {
  const blocks = outline(text);
  const heading = blocks.find(
    (block) => block.kind === "heading" && /^progress:?$/i.test(block.text),
  );
  if (!heading) return [];
  const isEnd = ({ kind }: Block) => kind === "rule" || kind === "heading";
  const section = sectionOf(blocks, heading);
  const next = section.find(isEnd) ?? blocks[blocks.indexOf(heading) + 1 + section.length];
  const end = next?.start ?? text.length;
  const isOpen = !text.slice(0, heading.end).endsWith("\n");
  const list = `${isOpen ? "\n" : ""}\n${renderProgress(prd)}\n`;
  return [{ start: heading.end, end, text: next ? `${list}\n` : list }];
}
