import {
  applyEdits,
  type Edit,
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
} from "jsonc-parser";

/** A value with its position and that of its key. Offsets count UTF-16 units. */
type Located = {
  value: unknown;
  offset: number;
  length: number;
  keyOffset: number;
  keyLength: number;
};

/** The parts of a task or subtask that ralph may change. */
export type ListedItem = { passes: Located; notes: Located | undefined };

type Items = ReadonlyMap<string, ListedItem>;

// A pass usually finds the text that the previous pass left; with 999 tasks a parse takes 20 ms.
let latest: { text: string; items: Items } | undefined;

/** Tasks and subtasks of a task list by id. Empty for a text that is not JSON. */
export function findItems(text: string): Items {
  if (latest?.text !== text) latest = { text, items: readItems(text) };
  return latest.items;
}

/** Applies the edits that turn `passes` of some items to true; `findItems` then knows the new text too. */
export function editItems(text: string, edits: Edit[]): string {
  const next = applyEdits(text, edits);
  latest = { text: next, items: moveItems(findItems(text), edits) };
  return next;
}

/** A passed item is never edited again, so the position of its notes is dropped. */
function moveItems(items: Items, edits: readonly Edit[]): Items {
  const edited = new Set(edits.map(({ offset }) => offset));
  const shift = (position: number) =>
    edits.reduce((sum, { offset, length, content }) => {
      return offset < position ? sum + content.length - length : sum;
    }, position);
  const move = (located: Located): Located => {
    const { offset, keyOffset } = located;
    return { ...located, offset: shift(offset), keyOffset: shift(keyOffset) };
  };
  const moved = [...items].map(([id, { passes, notes }]): [string, ListedItem] => {
    const turned = { ...move(passes), value: true, length: "true".length };
    if (edited.has(passes.offset)) return [id, { passes: turned, notes: undefined }];
    return [id, { passes: move(passes), notes: notes && move(notes) }];
  });
  return new Map(moved);
}

function readItems(text: string): Items {
  const errors: ParseError[] = [];
  // A byte order mark is one unit long, so a space in its place keeps all offsets.
  const root = parseTree(text.replace(/^\uFEFF/, " "), errors, { disallowComments: true });
  if (!root || errors.length > 0) return new Map();
  const tasks = childrenAt(root, "tasks");
  const items = [...tasks, ...tasks.flatMap((task) => childrenAt(task, "subtasks"))];
  return new Map(items.flatMap(listed));
}

function childrenAt(node: Node, key: string): readonly Node[] {
  const found = node.type === "object" ? findNodeAtLocation(node, [key]) : undefined;
  return found?.type === "array" ? (found.children ?? []) : [];
}

function listed(node: Node): [string, ListedItem][] {
  const id = locate(node, "id")?.value;
  const passes = locate(node, "passes");
  return typeof id === "string" && passes ? [[id, { passes, notes: locate(node, "notes") }]] : [];
}

function locate(node: Node, key: string): Located | undefined {
  if (node.type !== "object") return undefined;
  for (const { children = [] } of node.children ?? []) {
    const [name, value] = children;
    if (name?.value !== key || !value) continue;
    const { offset, length } = value;
    return { value: value.value, offset, length, keyOffset: name.offset, keyLength: name.length };
  }
  return undefined;
}
