import { join } from "node:path/posix";
import { journalOf } from "../../platform/fs/sync-files.ts";
import type { Repository } from "./repository.ts";

/** Whether objects and refs are on one file system that keeps the order of changes. */
export function canFlushAtOnce({ commonDir }: Pick<Repository, "commonDir">): boolean {
  const journal = journalOf(join(commonDir, "objects"));
  return journal !== undefined && journal === journalOf(join(commonDir, "refs"));
}

/**
 * How git writes each new object to the disk (`core.fsyncMethod`). `writeout-only` waits until its bytes are written; a
 * later flush, `flushTree` or that of a ref, must make them durable.
 */
export const objectMethod = ({ flushesAtOnce }: Repository): "writeout-only" | "fsync" =>
  flushesAtOnce ? "writeout-only" : "fsync";

/** Makes a tree durable that was just written with `objectMethod`, and all its objects, which were written before it. */
export async function flushTree(repo: Repository, tree: string): Promise<void> {
  if (!repo.flushesAtOnce) return;
  const folder = repo.system.files(join(repo.commonDir, "objects", tree.slice(0, 2)));
  const name = tree.slice(2);
  // A packed tree is an old one, with all its objects.
  if (await folder.stat(name)) await folder.sync([name]);
}
