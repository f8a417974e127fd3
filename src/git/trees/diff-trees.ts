import type { Repository } from "../repository/repository.ts";
import { askGit, gitFailed } from "../repository/run-git.ts";
import { splitRecords, toProjectPath } from "./tree-path.ts";

/** `status` is git's letter: A, M, D or T. `path` is below the project root. */
export type ChangedFile = { status: string; path: string };

/** `isTruncated`: the patch stops at the limit; the list of files is complete unless it alone exceeds it. */
export type TreeDiff = { files: ChangedFile[]; patch: string; isTruncated: boolean };

const diffArgs = [
  "diff-tree",
  "-r",
  "-z",
  "--raw",
  "--patch",
  "--no-renames",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
];

type DiffRequest = { from: string; to: string; maxBytes?: number };

/** The limit for callers that read only names. */
const usualBytes = 16 * 1024 * 1024;

// A pass needs the diff the reviewer has just seen. Trees never change, so the result can be kept.
let latest: { repo: Repository; from: string; to: string; diff: TreeDiff } | undefined;

/** The changes from one tree or commit to another: names and patch from one process, bounded in size (T45). */
export async function diffTrees(repo: Repository, request: DiffRequest): Promise<TreeDiff> {
  const { from, to, maxBytes = usualBytes } = request;
  const isKnown = latest?.repo === repo && latest.from === from && latest.to === to;
  if (latest && isKnown && latest.diff.patch.length <= maxBytes) return latest.diff;
  const diff = await readDiff(repo, request);
  latest = diff.isTruncated ? undefined : { repo, from, to, diff };
  return diff;
}

async function readDiff(
  repo: Repository,
  { from, to, maxBytes = usualBytes }: DiffRequest,
): Promise<TreeDiff> {
  const args = [...diffArgs, from, to];
  const answer = await askGit(repo, args, { maxBytes });
  const isTruncated = answer.exitCode !== 0 && answer.stdout.length >= maxBytes;
  if (answer.exitCode !== 0 && !isTruncated) throw gitFailed(args, answer);
  return { ...parseDiff(answer.stdout, repo.prefix), isTruncated };
}

/** Raw records come first; an empty one separates them from the patch. Pure. */
export function parseDiff(output: Buffer, prefix: string): { files: ChangedFile[]; patch: string } {
  const separator = output.indexOf("\0\0");
  const end = separator < 0 ? output.lastIndexOf(0) + 1 : separator + 1;
  const fields = splitRecords(output.subarray(0, end));
  const files = fields.flatMap((field, index) => {
    const path = fields[index + 1];
    if (index % 2 === 1 || path === undefined) return [];
    return [{ status: field.slice(field.lastIndexOf(" ") + 1), path: toProjectPath(prefix, path) }];
  });
  return { files, patch: separator < 0 ? "" : output.subarray(separator + 2).toString() };
}
