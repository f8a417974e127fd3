import { join } from "node:path/posix";
import type { Repository } from "../repository/repository.ts";

/** `locked`: another program kept holding `index.lock`; the user's `git status` shows old contents. */
export type SyncResult = { kind: "synced" } | { kind: "locked"; lock: string };

const waitsMs = [0, 50, 100, 200, 400];

/** Copies the private index over the user's, so that their `git status` is clean after a commit. Safe to repeat. */
export async function syncUserIndex(repo: Repository): Promise<SyncResult> {
  const { files, clock } = repo.system;
  const gitFiles = files(repo.gitDir);
  for (const waitMs of waitsMs) {
    await clock.sleep(waitMs);
    const isCopied = await gitFiles.copyLocked("index", join(repo.privateDir, "index"));
    if (isCopied) return { kind: "synced" };
  }
  return { kind: "locked", lock: ".git/index.lock" };
}
