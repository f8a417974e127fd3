import type { Repository } from "../repository/repository.ts";
import { runGit } from "../repository/run-git.ts";
import { splitRecords } from "../trees/tree-path.ts";

/** One path as git sees it, from the work tree's root. `.` is unchanged, `?` is untracked. */
export type StatusRecord = {
  path: string;
  /** Private index against the branch. */
  staged: string;
  /** Work tree against the private index. */
  unstaged: string;
  isGitlink: boolean;
};

export type WorkTreeStatus = {
  /** The commit of the branch; undefined when the branch is gone. */
  tip: string | undefined;
  records: StatusRecord[];
  /** Paths an ignore rule matches, from the work tree's root; files in an ignored folder are not listed. */
  ignored: string[];
};

const statusArgs = [
  "status",
  "--porcelain=v2",
  "--branch",
  "-z",
  "--untracked-files=all",
  "--ignored=matching",
  "--ignore-submodules=all",
  "--no-renames",
];

/** Repositories whose last status was slow: files were read again, because the index did not know their times. */
const slow = new WeakSet<Repository>();
const slowStatusMs = 50;

/** All changes, from one process: the only command of the hot path. Files in the session directory are omitted. */
export async function readStatus(repo: Repository): Promise<WorkTreeStatus> {
  const status = parseStatus(await look(repo));
  const { sessionDir } = repo;
  if (sessionDir === undefined) return status;
  return {
    ...status,
    records: status.records.filter(({ path }) => !path.startsWith(sessionDir)),
    ignored: status.ignored.filter((path) => !path.startsWith(sessionDir)),
  };
}

/** Lets git record the files' times only when that pays, because it writes a new index file each time. */
async function look(repo: Repository): Promise<Buffer> {
  const { clock } = repo.system;
  const startedAt = clock.monotonic();
  const env = slow.has(repo) ? {} : { GIT_OPTIONAL_LOCKS: "0" };
  const output = await runGit(repo, statusArgs, { env });
  if (clock.monotonic() - startedAt < slowStatusMs) slow.delete(repo);
  else slow.add(repo);
  return output;
}

export function parseStatus(output: Buffer): WorkTreeStatus {
  const lines = splitRecords(output);
  const tip = lines.find((line) => line.startsWith("# branch.oid "))?.slice(13);
  return {
    tip: tip === "(initial)" ? undefined : tip,
    records: lines.flatMap((line) => parseRecord(line) ?? []),
    ignored: lines.flatMap((line) => (line.startsWith("! ") ? line.slice(2) : [])),
  };
}

const tracked = /^1 (.)(.) \S+ \S+ (\d+) (\d+) \S+ \S+ (.+)$/s;
const unmerged = /^u (.)(.) (?:\S+ ){8}(.+)$/s;

function parseRecord(line: string): StatusRecord | undefined {
  if (line.startsWith("? ")) {
    return { path: line.slice(2), staged: ".", unstaged: "?", isGitlink: false };
  }
  const [, staged, unstaged, indexMode, workMode, path] = tracked.exec(line) ?? [];
  if (staged && unstaged && path) {
    return { path, staged, unstaged, isGitlink: [indexMode, workMode].includes("160000") };
  }
  const [, ours, theirs, conflict] = unmerged.exec(line) ?? [];
  if (!ours || !theirs || !conflict) return undefined;
  return { path: conflict, staged: ours, unstaged: theirs, isGitlink: false };
}
