import type { Repository } from "../../git/repository/repository.ts";
import { askGit } from "../../git/repository/run-git.ts";
import { splitRecords, toProjectPath, toTreePath } from "../../git/trees/tree-path.ts";

const maxBytes = 16 * 1024 * 1024;

/**
 * When each file below a folder was last committed, in milliseconds; uncommitted files are missing. The times on the disk
 * are of no use, because a checkout makes them all equal (compatibility 8.1).
 */
export async function commitDates(
  repo: Repository,
  { commit, folder }: { commit: string; folder: string },
): Promise<ReadonlyMap<string, number>> {
  const below = folder.replace(/^(?:\.\/)+|^\.$|\/+$/g, "");
  const spec = toTreePath(repo.prefix, below).replace(/\/$/, "");
  const form = ["--no-show-signature", "--no-renames", "--name-only", "-z"];
  const paths = spec === "" ? [] : ["--", spec];
  const args = ["log", ...form, `--format=${mark}%ct`, commit, ...paths];
  const answer = await askGit(repo, args, { maxBytes });
  return answer.exitCode === 0 ? readDates(repo, splitRecords(answer.stdout)) : new Map();
}

/** Starts a time; no path starts with it. */
const mark = "//";

/** Each time is followed by its paths; the newest comes first. */
function readDates({ prefix }: Repository, records: readonly string[]): Map<string, number> {
  const dates = new Map<string, number>();
  let date = 0;
  for (const record of records.map((text) => text.replace(/^\n+/, ""))) {
    if (record.startsWith(mark)) date = Number(record.slice(mark.length).trim()) * 1000;
    else if (record !== "") {
      const path = toProjectPath(prefix, record);
      if (!dates.has(path)) dates.set(path, date);
    }
  }
  return dates;
}
