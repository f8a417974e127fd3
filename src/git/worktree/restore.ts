import { dirname } from "node:path/posix";
import { RalphError } from "../../error.ts";
import type { Change, Repository } from "../repository/repository.ts";
import { askProgram, runGit } from "../repository/run-git.ts";
import { joinRecords, toTreePath } from "../trees/tree-path.ts";
import { filteredPaths } from "./filtered-paths.ts";
import { restoreFiltered } from "./restore-filtered.ts";

/**
 * Restores changed paths from the private index: content, mode and kind; new files are removed, except those the
 * repository itself ignores. Never writes through a link (T38); for files with a filter see `restoreFiltered`. When rule
 * files (`.gitignore`) were among the changes, other paths may appear now: read the status again.
 */
export async function restorePaths(repo: Repository, changes: readonly Change[]): Promise<void> {
  // Rule files first: they decide how the others are written and which files are ignored.
  await restoreGroup(repo, changes.filter(isRuleFile));
  await restoreGroup(
    repo,
    changes.filter((change) => !isRuleFile(change)),
  );
}

const isRuleFile = ({ path }: Change): boolean => /(^|\/)\.git(attributes|ignore)$/.test(path);

async function restoreGroup(repo: Repository, changes: readonly Change[]): Promise<void> {
  const isNew = (change: Change) => change.kind === "added";
  const all = changes.filter((change) => !isNew(change)).map(({ path }) => path);
  const filters = await filteredPaths(repo, all);
  const known = all.filter((path) => !filters.has(path));
  if (known.length > 0) {
    const input = joinRecords(known.map((path) => toTreePath(repo.prefix, path)));
    await runGit(repo, ["checkout-index", "-f", "-u", "-q", "-z", "--stdin"], { input });
  }
  const named = [...filters].map(
    ([path, filter]) => [toTreePath(repo.prefix, path), filter] as const,
  );
  await restoreFiltered(repo, new Map(named));
  const added = changes.filter(isNew).map(({ path }) => toTreePath(repo.prefix, path));
  await removeUntracked(repo, added);
}

/** Removes untracked paths of the work tree, nested repositories too, and the folders they leave empty. */
export async function removeUntracked(
  repo: Repository,
  treePaths: readonly string[],
): Promise<void> {
  if (treePaths.length === 0) return;
  // `git clean` reads no list; xargs accepts names of any bytes and splits lists that are too long for one call.
  const clean = ["xargs", "-0", "git", "clean", "-ffdq", "--"] as const;
  const { exitCode, stderr } = await askProgram(repo, clean, { input: joinRecords(treePaths) });
  if (exitCode !== 0) throw cleanFailed(stderr);
  const folders = new Set(treePaths.map((path) => dirname(path)).filter((path) => path !== "."));
  if (folders.size === 0) return;
  // Folders that are not empty stay; that is not a failure.
  await askProgram(repo, ["xargs", "-0", "rmdir", "-p", "--"], {
    input: joinRecords([...folders]),
  });
}

function cleanFailed(stderr: string): RalphError {
  return new RalphError("git", {
    message: `Files that an agent left behind could not be removed: ${stderr.trim()}`,
    remedy: "Remove the files named above by hand, then continue with `ralph run --resume`.",
  });
}
