import type { Repository } from "../repository/repository.ts";
import { askProgram, gitFailed } from "../repository/run-git.ts";
import {
  type IndexEntry,
  indexEntries,
  toSecond,
  untilNextSecond,
} from "../trees/index-entries.ts";
import { toProjectPath } from "../trees/tree-path.ts";
import { filteredPaths } from "./filtered-paths.ts";
import { readStatus } from "./status.ts";

/** Less than the time between two changes of a file, more than the rounding error of a time. */
const sameMs = 0.01;

/**
 * Makes git trust the copied index when that is safe. Git compares files that are not older than their index, as in a
 * fresh clone, by content and without their filter, so they appear changed. If a file still has the change time that the
 * user's index recorded, nothing has changed it since the user's git saw it clean: then the index gets a newer date. Only
 * for a new copy of the index, before any agent runs.
 */
export async function trustIndex(repo: Repository): Promise<void> {
  if (!repo.usesFilters || !(await isTooYoung(repo))) return;
  await untilNextSecond(repo);
  if (!(await isTooYoung(repo))) return;
  const touched = await askProgram(repo, ["touch", `${repo.privateDir}/index`]);
  if (touched.exitCode !== 0) throw gitFailed(["index"], touched);
}

/** Whether files appear changed only because they are not older than the index, and no real change would be hidden. */
async function isTooYoung(repo: Repository): Promise<boolean> {
  // While the lock exists, git cannot rewrite the index and lose the recorded times.
  const looking = { ...repo, env: { ...repo.env, GIT_OPTIONAL_LOCKS: "0" } };
  const { records } = await readStatus(looking);
  const changed = records.filter(({ unstaged }) => unstaged === "M").map(({ path }) => path);
  const entries = await indexEntries(repo, changed);
  const verdicts = await Promise.all(entries.map((entry) => compare(repo, entry)));
  if (entries.length < changed.length || verdicts.includes("hidden")) return false;
  const seen = entries.filter((_, index) => verdicts[index] === "as-seen");
  const paths = seen.map(({ path }) => toProjectPath(repo.prefix, path));
  return paths.length > 0 && (await filteredPaths(repo, paths)).size === paths.length;
}

/** `as-seen`: untouched since the index was written. `hidden`: changed, but git would not notice with a newer index. */
async function compare(repo: Repository, { path, bytes, changedMs }: IndexEntry) {
  const now = await repo.system.files(repo.worktree).stat(path);
  if (now?.kind !== "file" || now.bytes !== bytes) return "changed";
  if (Math.abs(now.changedMs - changedMs) < sameMs) return "as-seen";
  return toSecond(now.changedMs) === toSecond(changedMs) ? "hidden" : "changed";
}
