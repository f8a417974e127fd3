import { findEntries } from "../../schema/tasks/foreign/entries.ts";
import type { ForeignTasks, ForeignTree } from "../dialect.ts";
import { parseText } from "../json-text.ts";
import { legacyPrd, omxFileAt } from "./paths.ts";
import { findList } from "./prd-block.ts";
import { isOurPrd } from "./render-prd.ts";

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
    const list = block && parseText(text.slice(block.start, block.end));
    if (findEntries(list)) return { path, list };
  }
  const list = parseText(tree.get(legacyPrd) ?? "");
  return findEntries(list) ? { path: legacyPrd, list } : undefined;
}
