import { applyEdits, type Edit } from "jsonc-parser";
import { findEntries, originalId, taskIds } from "../../schema/tasks/foreign/entries.ts";
import {
  afterSection,
  type Block,
  isHeading,
  outline,
  sectionOf,
} from "../../schema/tasks/foreign/outline.ts";
import type { FoundBlock } from "../../schema/tasks/foreign/task-block.ts";
import type { Prd } from "../../schema/tasks/prd.ts";
import { renderProgress } from "./render-request.ts";
import { listItems, type RequestFormat, renderList } from "./request-list.ts";

type TaskBlock = FoundBlock & { kind: "found" };

export type UpdateOptions = {
  block: TaskBlock;
  format: RequestFormat;
  /** Part of the ids that the document does not have yet. */
  name: string;
};

/** A Markdown text with its JSON block and its section "Progress" rendered again; every other byte stays. */
export function updateRequest(text: string, prd: Prd, { block, format, name }: UpdateOptions) {
  const before = text.slice(block.start, block.end);
  const items = listItems(prd, { format, name, known: knownIds(before) });
  const moved = `${indented(renderList(items), indentOf(text, block.start))}\n`;
  const progress = renderProgress(
    prd,
    items.map(({ id }) => id),
  );
  const isOpen = before !== "" && !before.endsWith("\n") && block.end === text.length;
  const list = isOpen ? moved.trimEnd() : moved;
  const edits = [
    { offset: block.start, length: block.end - block.start, content: list },
    ...progressEdit(text, progress, block),
  ];
  return applyEdits(
    text,
    edits.map((edit) => withLineBreaks(text, edit)),
  );
}

export const formatOf = (text: string, { start, end }: TaskBlock): RequestFormat =>
  /"steps"\s*:/.test(text.slice(start, end)) ? "cr" : "markdown";

function withLineBreaks(text: string, { offset, length, content }: Edit): Edit {
  const [above] = /\r?\n$/.exec(text.slice(Math.max(0, offset - 2), offset)) ?? [];
  const isWindows = above === undefined ? text.includes("\r\n") : above === "\r\n";
  return { offset, length, content: isWindows ? content.replaceAll("\n", "\r\n") : content };
}

function knownIds(json: string): ReadonlyMap<string, string> {
  const items = findEntries(parsed(json))?.items ?? [];
  const ids = taskIds(items);
  const pairs = items.flatMap((item, index): [string, string][] => {
    const [id, name] = [ids[index], originalId(item)];
    return id === undefined || name === undefined ? [] : [[id, name]];
  });
  return new Map(pairs);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The indentation of the block: that of the fence above it, which may follow a bullet. */
function indentOf(text: string, start: number): string {
  const above = text.slice(0, start).replace(/\r?\n$/, "");
  const line = above.slice(above.lastIndexOf("\n") + 1);
  return /^[^`~]*/.exec(line)?.[0].replace(/\S/g, " ") ?? "";
}

const indented = (text: string, indent: string) => text.replace(/^(?=.)/gm, indent);

/** Replaces the lines below the heading, up to the next heading, rule or the task list. */
function progressEdit(text: string, progress: string, { start: listStart }: TaskBlock): Edit[] {
  const blocks = outline(text);
  const heading = blocks.filter(isHeading).find((each) => /^progress:?$/i.test(each.text));
  if (!heading) return [];
  const isEnd = ({ kind, start }: Block) =>
    kind === "rule" || kind === "heading" || start === listStart;
  const next = sectionOf(blocks, heading).find(isEnd) ?? afterSection(blocks, heading);
  const end = (next?.kind === "fence" ? next.mark : next?.start) ?? text.length;
  const isOpen = !text.slice(0, heading.end).endsWith("\n");
  const list = `${isOpen ? "\n" : ""}\n${progress}\n`;
  const content = next ? `${list}\n` : list;
  return [{ offset: heading.end, length: end - heading.end, content }];
}
