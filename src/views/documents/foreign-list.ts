import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
} from "jsonc-parser";
import { findEntries, isForeignList, taskIds } from "../../schema/tasks/foreign/entries.ts";
import { isDoneWord, passesNames } from "../../schema/tasks/foreign/entry.ts";
import { findTaskBlock, onlyPart } from "../../schema/tasks/foreign/task-block.ts";

type Edit = { offset: number; length: number; text: string };

/**
 * Says in a list of another tool, or in the block of JSON of a Markdown text, that these tasks have passed: in the
 * entries with the source's own ids, by the name and in the words they have there. Every other byte stays.
 */
export function spliceForeignList(
  text: string,
  { isMarkdown, passed }: { isMarkdown: boolean; passed: ReadonlySet<string> },
): string {
  const json = isMarkdown ? blockOf(text) : text.replace(/^\uFEFF/, " ");
  const errors: ParseError[] = [];
  const root = json === undefined ? undefined : parseTree(json, errors, { disallowComments: true });
  if (!root || errors.length > 0 || json === undefined) return text;
  const edits = entriesOf(root, isMarkdown)
    .filter(({ id }) => passed.has(id))
    .flatMap(({ node }) => turn(node, json));
  return edits
    .toSorted((a, b) => b.offset - a.offset)
    .reduce((now, { offset, length, text: next }) => {
      return now.slice(0, offset) + next + now.slice(offset + length);
    }, text);
}

function blockOf(text: string): string | undefined {
  const block = findTaskBlock(text);
  return block.kind === "found" ? onlyPart(text, block) : undefined;
}

/** A list of ours is spliced by its own ids, unless it stands in Markdown, where all are taken alike. */
function entriesOf(root: Node, isMarkdown: boolean): { id: string; node: Node }[] {
  const value: unknown = getNodeValue(root);
  const isTaken = isMarkdown || Array.isArray(value) || isForeignList(value);
  const entries = isTaken ? findEntries(value) : undefined;
  if (!entries) return [];
  const list = entries.path.length === 0 ? root : findNodeAtLocation(root, [...entries.path]);
  const ids = taskIds(entries.items);
  return (list?.children ?? []).flatMap((node, index) => {
    const id = ids[index];
    return id === undefined || node.type !== "object" ? [] : [{ id, node }];
  });
}

function turn(entry: Node, json: string): Edit[] {
  const properties = entry.children ?? [];
  const named = (name: string) =>
    properties.findLast(({ children }) => children?.[0]?.value === name)?.children?.[1];
  const name = passesNames.find((each) => named(each) !== undefined);
  const value = name === undefined ? undefined : named(name);
  if (value === undefined) return addTo(entry, json);
  const said: unknown = value.value;
  if (said === true || (typeof said === "string" && isDoneWord(said))) return [];
  const text = typeof said === "string" || name === "status" ? '"done"' : "true";
  return [{ offset: value.offset, length: value.length, text }];
}

/** An entry that says nothing about passing gets `passes` as its last property, written like the one before. */
function addTo({ children = [] }: Node, json: string): Edit[] {
  const last = children.at(-1);
  const [key, value] = last?.children ?? [];
  if (!last || !key || !value) return [];
  const gap = /\s*$/.exec(json.slice(Math.max(0, last.offset - 1000), last.offset))?.[0] ?? "";
  const colon = json.slice(key.offset + key.length, value.offset);
  const text = `,${gap}"passes"${colon}true`;
  return [{ offset: last.offset + last.length, length: 0, text }];
}
