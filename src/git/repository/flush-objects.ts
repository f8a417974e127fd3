import { join } from "node:path/posix";
import { journalOf } from "../../platform/fs/sync-files.ts";
import type { Repository } from "./repository.ts";

/** Whether objects and refs lie on one file system that keeps changes in their order. */
export function canFlushAtOnce({ commonDir }: Pick<Repository, "commonDir">): boolean {
  const journal = journalOf(join(commonDir, "objects"));
  return journal !== undefined && journal === journalOf(join(commonDir, "refs"));
}

/**
 * How git brings each new object to the disk (`core.fsyncMethod`). `writeout-only` waits until its bytes are written, and
 * leaves it to the flush that must follow, `flushTree` or that of a ref, to keep them.
 */
export function objectMethod({ flushesAtOnce }: Repository): "writeout-only" | "fsync" {
  return flushesAtOnce ? "writeout-only" : "fsync";
}

/** Keeps a tree that was just written with `objectMethod`, and all it holds: it was written last. */
export async function flushTree(repo: Repository, tree: string): Promise<void> {
  if (!repo.flushesAtOnce) return;
  const folder = repo.system.files(join(repo.commonDir, "objects", tree.slice(0, 2)));
  const name = tree.slice(2);
  // In a pack it is an old one, with all it holds.
  if (await folder.stat(name)) await folder.sync([name]);
}
