import type { Repository } from "./repository.ts";
import { askGit, gitFailed } from "./run-git.ts";

/** `locked`: another program held `index.lock` all the time; the user's `git status` shows old contents. */
export type SyncResult = { kind: "synced" } | { kind: "locked"; lock: string };

const waitsMs = [50, 100, 200, 400];

/**
 * Brings the user's index in step with a commit of ours, so that their `git status` is clean. It is written by
 * git on our private directory: the user's configuration and hooks do not run. Safe to repeat.
 */
export async function syncUserIndex(repo: Repository, commit: string): Promise<SyncResult> {
  const index = `${repo.gitDir}/index`;
  for (const waitMs of [...waitsMs, undefined]) {
    const result = await writeIndex(repo, { index, commit });
    if (result === "written" || waitMs === undefined) {
      return result === "written" ? { kind: "synced" } : { kind: "locked", lock: `${index}.lock` };
    }
    await repo.system.clock.sleep(waitMs);
  }
  return { kind: "locked", lock: `${index}.lock` };
}

async function writeIndex(
  repo: Repository,
  { index, commit }: { index: string; commit: string },
): Promise<"written" | "locked"> {
  const env = { GIT_INDEX_FILE: index };
  const args = ["read-tree", "--reset", commit];
  const answer = await askGit(repo, args, { env });
  if (answer.exitCode === 0) {
    // Only stat information is refreshed; left-over differences are no failure.
    await askGit(repo, ["update-index", "-q", "--refresh"], { env });
    return "written";
  }
  if (answer.stderr.includes("index.lock")) return "locked";
  throw gitFailed(args, answer);
}
