import { join } from "node:path/posix";
import type { Repository } from "../repository/repository.ts";

/** `locked`: another program held `index.lock` all the time; the user's `git status` shows old contents. */
export type SyncResult = { kind: "synced" } | { kind: "locked"; lock: string };

const waitsMs = [0, 50, 100, 200, 400];

/**
 * Brings the user's index in step with ours, so that their `git status` is clean after a commit of ours: the
 * private index describes the same files, so it is copied, whatever stood in theirs. Safe to repeat.
 */
export async function syncUserIndex(repo: Repository): Promise<SyncResult> {
  const { files, clock } = repo.system;
  const gitFiles = files(repo.gitDir);
  for (const waitMs of waitsMs) {
    await clock.sleep(waitMs);
    const isCopied = await gitFiles.copyLocked("index", join(repo.privateDir, "index"));
    if (isCopied) return { kind: "synced" };
  }
  return { kind: "locked", lock: join(repo.gitDir, "index.lock") };
}
