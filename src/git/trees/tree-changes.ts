import type { Repository } from "../repository/repository.ts";
import { runGit } from "../repository/run-git.ts";
import { splitRecords } from "./tree-path.ts";

/** An entry of a tree; the mode is 000000 when there is none. */
export type TreeEntry = { mode: string; id: string };

/** A path from the work tree's root with its entries before and after. */
export type TreeChange = { path: string; before: TreeEntry; after: TreeEntry };

/** Whether that side of a change is empty. */
export const isAbsent = ({ mode }: TreeEntry) => mode === "000000";

/** The differences between two commits or trees, file by file; a rename is a removal and an addition. */
export async function treeChanges(
  repo: Repository,
  { from, to }: { from: string; to: string },
): Promise<TreeChange[]> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", from, to];
  return parseChanges(splitRecords(await runGit(repo, args)));
}

/** Parses records with modes and ids, each followed by its path. Pure. */
const parseChanges = (fields: readonly string[]): TreeChange[] =>
  fields.flatMap((field, index) => {
    const match = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]$/.exec(field);
    const path = fields[index + 1];
    if (index % 2 === 1 || !match || path === undefined) return [];
    const [, fromMode = "", toMode = "", fromId = "", toId = ""] = match;
    return [{ path, before: { mode: fromMode, id: fromId }, after: { mode: toMode, id: toId } }];
  });
