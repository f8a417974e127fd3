import { findNodeAtLocation, type JSONVisitor, type Node, parseTree, visit } from "jsonc-parser";
import { errorAt, type Finding, renderPath } from "../../schema/base/finding.ts";
import { checkForeignList } from "../../schema/tasks/foreign/check-foreign-list.ts";
import { findEntries } from "../../schema/tasks/foreign/entries.ts";
import { isHeading, outline, sectionOf } from "../../schema/tasks/foreign/outline.ts";
import { findTaskBlock } from "../../schema/tasks/foreign/task-block.ts";
import { jsonValue } from "../../text/json-value.ts";
import type { ForeignTasks, ForeignTree } from "../dialect.ts";
import { legacyPrd, omxFileAt } from "./paths.ts";
import { isOurPrd } from "./render-prd.ts";

/** The list in a document: below "Task List", or the snapshot of an older list; undefined if it has none. */
function findList(text: string): { start: number; end: number } | undefined {
  const found = findTaskBlock(text);
  if (found.kind === "found") return found;
  const blocks = outline(text);
  const heading = blocks.filter(isHeading).find((each) => /^legacy snapshot$/i.test(each.text));
  const below = heading ? sectionOf(blocks, heading) : [];
  return below.find((block) => block.kind === "fence");
}

/** All findings in the list of a document, each at its line. A document without a list is valid. */
export function checkOmxPrd(file: string, text: string): Finding[] {
  const block = findList(text);
  if (!block) return [];
  const json = text.slice(block.start, block.end);
  const firstLine = lineOf(text, block.start);
  const value = jsonValue(json);
  if (value === undefined) return [errorAt([firstLine], "the list is not valid JSON")];
  const keys = checkKeys(json).map(({ line, message }) => errorAt([firstLine + line - 1], message));
  if (keys.length > 0) return keys;
  const { findings } = checkForeignList(value, { kind: "list", source: "imported-prd", file });
  if (findings.length === 0) return [];
  const root = parseTree(json);
  return findings.map(({ severity, path, message }) => ({
    severity,
    path: [firstLine + lineOf(json, offsetOf(root, path)) - 1],
    message: `${renderPath(path)} ${message}`,
  }));
}

const lineOf = (text: string, offset: number) => text.slice(0, offset).split("\n").length;

/** The offset of a path; for a missing value that of its parent. */
function offsetOf(root: Node | undefined, path: readonly PropertyKey[]): number {
  const steps = path.map((step) => (typeof step === "number" ? step : String(step)));
  for (let length = steps.length; root && length >= 0; length -= 1) {
    const node = findNodeAtLocation(root, steps.slice(0, length));
    if (node) return node.offset;
  }
  return 0;
}

/** Keys that two readers could understand differently; for a list that is nested too deep only that. */
function checkKeys(json: string): { line: number; message: string }[] {
  const found: { line: number; message: string }[] = [];
  const open: Set<string>[] = [];
  const visitor: JSONVisitor = {
    onObjectBegin: () => {
      open.push(new Set());
    },
    onObjectEnd: () => {
      open.pop();
    },
    onObjectProperty: (key, ...[, , line]) => {
      const message = messageOf(key, open.at(-1)?.has(key) === true);
      if (message !== undefined) found.push({ line: line + 1, message });
      open.at(-1)?.add(key);
    },
  };
  try {
    visit(json, visitor);
  } catch {
    return [{ line: 1, message: "the list is nested too deeply" }];
  }
  return found;
}

function messageOf(key: string, isRepeated: boolean): string | undefined {
  if (["__proto__", "constructor", "prototype"].includes(key)) {
    return `the key "${key}" is not allowed; remove it`;
  }
  return isRepeated ? `the key ${JSON.stringify(key)} is repeated; remove one` : undefined;
}

/** Documents of the current format by name, the canonical one first and ralph's own last. */
export function prdsOf(tree: ForeignTree): { path: string; text: string; isOurs: boolean }[] {
  return [...tree]
    .filter(([path]) => omxFileAt(path)?.kind === "prd")
    .map(([path, text]) => ({ path, text, isOurs: isOurPrd(text) }))
    .toSorted((a, b) => Number(a.isOurs) - Number(b.isOurs) || (a.path < b.path ? -1 : 1));
}

/** The list of the first document that has one, else the older list. */
export function omxTasks(tree: ForeignTree): ForeignTasks | undefined {
  for (const { path, text } of prdsOf(tree)) {
    const block = findList(text);
    const list = block && jsonValue(text.slice(block.start, block.end));
    if (findEntries(list)) return { path, list };
  }
  const list = jsonValue(tree.get(legacyPrd) ?? "");
  return findEntries(list) ? { path: legacyPrd, list } : undefined;
}
