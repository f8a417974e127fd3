import type { FileStat } from "../../platform/system.ts";
import type { BranchPosition, Change, Repository } from "../repository/repository.ts";
import { readUserBranch } from "../repository/user-head.ts";
import { toProjectPath } from "../trees/tree-path.ts";
import { filteredPaths } from "./filtered-paths.ts";
import { readStatus, type StatusRecord } from "./status.ts";

/** Larger untracked files are never snapshotted, only named (design 9.4). */
export const maxUntrackedBytes = 5 * 1024 * 1024;

/** The differences from the private index. Only `changes` may be staged; the others are refused by name (design 5). */
export type WorkTreeChanges = {
  changes: Change[];
  /** Nested repositories (their path ends in `/`), changed gitlinks, bare repositories' files, devices, pipes, and names git refuses (T43, T39). */
  nested: Change[];
  tooLarge: Change[];
  /** Paths with a filter attribute, such as git-lfs pointers; ralph's git runs no filters. */
  filtered: Change[];
  /** See `Status`; for `ignoredChanged`. */
  ignored: string[];
  /** The branch or the user's HEAD is not at the journal's head. */
  headMoved: boolean;
};

type Kind = "changes" | "nested" | "tooLarge" | "filtered";

/** Reads the changes of the work tree: with one `git status` when nothing changed. */
export async function changesSince(repo: Repository, at: BranchPosition): Promise<WorkTreeChanges> {
  const [status, branch] = await Promise.all([
    readStatus(repo),
    readUserBranch(repo.system.files(repo.gitDir)),
  ]);
  const records = status.records.filter(({ unstaged }) => unstaged !== ".");
  const headMoved = status.tip !== at.commit || branch !== at.branch;
  return { ...(await sortOut(repo, records)), ignored: status.ignored, headMoved };
}

async function sortOut(repo: Repository, records: StatusRecord[]): Promise<Record<Kind, Change[]>> {
  const paths = records.map(({ path }) => toProjectPath(repo.prefix, path));
  const [filtered, stats] = await Promise.all([
    filteredPaths(repo, paths),
    readStats(repo, records),
  ]);
  const bare = bareRepositories(records.map(({ path }) => path));
  const sorted: Record<Kind, Change[]> = { changes: [], nested: [], tooLarge: [], filtered: [] };
  for (const record of records) {
    const path = toProjectPath(repo.prefix, record.path);
    const isFiltered = filtered.has(path);
    const isInBare = isInside(bare, record.path);
    const stat = stats.get(record.path);
    const kind = nameKind(record, { stat, isFiltered, isInBare });
    const isLink = stat?.kind === "link" && ({ isLink: true } as const);
    sorted[kind].push({ path, kind: nameChange(record), ...isLink });
  }
  return sorted;
}

type Facts = { stat: FileStat | undefined; isFiltered: boolean; isInBare: boolean };

/** The list a changed path belongs to. Pure. */
export function nameKind(record: StatusRecord, { stat, isFiltered, isInBare }: Facts): Kind {
  const isSpecial = stat?.kind === "other" || isInBare || isLikeGit(record.path);
  if (record.isGitlink || record.path.endsWith("/") || isSpecial) return "nested";
  if (isFiltered) return "filtered";
  const isLarge = record.unstaged === "?" && (stat?.bytes ?? 0) > maxUntrackedBytes;
  return isLarge ? "tooLarge" : "changes";
}

/** Git adds nothing below a name that some file system takes for its own folder, and says so on stderr only. Pure. */
const isLikeGit = (path: string): boolean =>
  path.split(/[/\\]/).some((part) => /^(?:\.git|git~1)[ .]*(?::.*)?$/is.test(part));

function nameChange({ unstaged }: StatusRecord): Change["kind"] {
  if (unstaged === "?" || unstaged === "A") return "added";
  if (unstaged === "D") return "deleted";
  return unstaged === "T" ? "type-changed" : "modified";
}

/** The folders git would mistake for a bare repository: with HEAD, objects and refs (T43). Pure. */
export function bareRepositories(paths: readonly string[]): Set<string> {
  const withObjects = foldersHolding(paths, /(?<=\/)objects\//g);
  const withRefs = foldersHolding(paths, /(?<=\/)refs\//g);
  const withHead = [...foldersHolding(paths, /(?<=\/)HEAD$/g)];
  return new Set(withHead.filter((folder) => withObjects.has(folder) && withRefs.has(folder)));
}

const foldersHolding = (paths: readonly string[], entry: RegExp): Set<string> =>
  new Set(
    paths.flatMap((path) => [...path.matchAll(entry)].map(({ index }) => path.slice(0, index))),
  );

function isInside(folders: Set<string>, path: string): boolean {
  if (folders.size === 0) return false;
  return [...path.matchAll(/\//g)].some(({ index }) => folders.has(path.slice(0, index + 1)));
}

async function readStats(repo: Repository, records: StatusRecord[]) {
  const files = repo.system.files(repo.worktree);
  const present = records.filter(({ unstaged }) => unstaged !== "D");
  const stats = present.map(async ({ path }) => [path, await files.stat(path)] as const);
  return new Map(await Promise.all(stats));
}
