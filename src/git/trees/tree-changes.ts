import type { Repository } from "../repository/repository.ts";
import { runGit } from "../repository/run-git.ts";
import { splitRecords } from "./tree-path.ts";

/** As a tree holds it; the mode is 000000 where there is nothing. */
export type TreeEntry = { mode: string; id: string };

/** A path from the work tree's root with what stands there before and after. */
export type TreeChange = { path: string; before: TreeEntry; after: TreeEntry };

/** Whether a change has nothing on that side. */
export const isAbsent = ({ mode }: TreeEntry) => mode === "000000";

/** What differs between two commits or trees, file by file; renames are a removal and an addition. */
export async function treeChanges(
  repo: Repository,
  { from, to }: { from: string; to: string },
): Promise<TreeChange[]> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", from, to];
  return parseChanges(splitRecords(await runGit(repo, args)));
}

/** Pure. A record with modes and ids, then its path. */
function parseChanges(fields: readonly string[]): TreeChange[] {
  return fields.flatMap((field, index) => {
    const match = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]$/.exec(field);
    const path = fields[index + 1];
    if (index % 2 === 1 || !match || path === undefined) return [];
    const [, fromMode = "", toMode = "", fromId = "", toId = ""] = match;
    return [{ path, before: { mode: fromMode, id: fromId }, after: { mode: toMode, id: toId } }];
  });
}
