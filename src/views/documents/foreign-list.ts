import {
  applyEdits,
  type Edit,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
} from "jsonc-parser";
import { findEntries, isForeignList, taskIds } from "../../schema/tasks/foreign/entries.ts";
import { isDoneWord, passesNames } from "../../schema/tasks/foreign/entry.ts";
import { findTaskBlock, onlyPart } from "../../schema/tasks/foreign/task-block.ts";

/**
 * Marks tasks as passed in a list of another tool, or in the JSON block of a Markdown text. Entries are found by the ids
 * they have there, and keep their key and style of status. Every other byte stays.
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
    .flatMap(({ node }) => markPassed(node, json));
  return applyEdits(text, edits);
}

function blockOf(text: string): string | undefined {
  const block = findTaskBlock(text);
  return block.kind === "found" ? onlyPart(text, block) : undefined;
}

/** The list's entries by id; none for ralph's own format outside of Markdown, which `prdJson` splices itself. */
function entriesOf(root: Node, isMarkdown: boolean): { id: string; node: Node }[] {
  const value: unknown = getNodeValue(root);
  const isForeign = isMarkdown || Array.isArray(value) || isForeignList(value);
  const entries = isForeign ? findEntries(value) : undefined;
  if (!entries) return [];
  const list = entries.path.length === 0 ? root : findNodeAtLocation(root, [...entries.path]);
  const ids = taskIds(entries.items);
  return (list?.children ?? []).flatMap((node, index) => {
    const id = ids[index];
    return id === undefined || node.type !== "object" ? [] : [{ id, node }];
  });
}

function markPassed(entry: Node, json: string): Edit[] {
  const properties = entry.children ?? [];
  const named = (name: string) =>
    properties.findLast(({ children }) => children?.[0]?.value === name)?.children?.[1];
  const name = passesNames.find((each) => named(each) !== undefined);
  const value = name === undefined ? undefined : named(name);
  if (value === undefined) return addPasses(entry, json);
  const current: unknown = value.value;
  if (current === true || (typeof current === "string" && isDoneWord(current))) return [];
  const content = typeof current === "string" || name === "status" ? '"done"' : "true";
  return [{ offset: value.offset, length: value.length, content }];
}

/** An entry without a status gets `passes` as its last property, formatted like the one before. */
function addPasses({ children = [] }: Node, json: string): Edit[] {
  const last = children.at(-1);
  const [key, value] = last?.children ?? [];
  if (!last || !key || !value) return [];
  const gap = /\s*$/.exec(json.slice(Math.max(0, last.offset - 1000), last.offset))?.[0] ?? "";
  const colon = json.slice(key.offset + key.length, value.offset);
  const content = `,${gap}"passes"${colon}true`;
  return [{ offset: last.offset + last.length, length: 0, content }];
}
