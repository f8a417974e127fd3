import { join } from "node:path/posix";
import { gitSettings } from "../repository/environment.ts";
import type { Repository } from "../repository/repository.ts";
import { askGit, askProgram, runGit } from "../repository/run-git.ts";
import { type IndexEntry, indexEntries, untilNextSecond } from "../trees/index-entries.ts";
import { joinRecords } from "../trees/tree-path.ts";

/** The limit of git-lfs itself for a pointer. */
const maxPointerBytes = 1024;

/**
 * Restores files with a filter (paths from the work tree's root, with their filters). No filter runs, so the index gives
 * only the pointer of a git-lfs file. The content comes from the git-lfs store, if it is there and its hash matches.
 */
export async function restoreFiltered(repo: Repository, filters: Filters): Promise<void> {
  const entries = await indexEntries(repo, [...filters.keys()]);
  await checkout(repo, [...filters.keys()], "-f");
  const fetched = await fetchContents(repo, entries, {
    store: repo.commonDir,
    // The file's earlier state in the index: where git-lfs left the pointer, the pointer is the file.
    isWanted: (entry, pointer) => entry.bytes === pointer.bytes,
  });
  await recordAsClean(repo, { paths: fetched, filters });
  const rest = [...filters.keys()].filter((path) => !fetched.includes(path));
  await checkout(repo, rest, "-fu");
}

/** Fills git-lfs files of a new checkout, which are all pointers, from the store of another git directory. */
export async function fillFiltered(
  repo: Repository,
  { filters, store }: { filters: Filters; store: string },
): Promise<void> {
  const entries = await indexEntries(repo, [...filters.keys()]);
  const fetched = await fetchContents(repo, entries, { store, isWanted: () => true });
  const isFetched = ({ path }: IndexEntry) => fetched.includes(path);
  await forget(repo, entries.filter(isFetched));
  await recordAsClean(repo, { paths: fetched, filters });
  const rest = entries.filter((entry) => !isFetched(entry)).map(({ path }) => path);
  await checkout(repo, rest, "-fu");
}

type Filters = ReadonlyMap<string, string>;

/** Replaces links in the path instead of following them (T38). */
async function checkout(repo: Repository, paths: readonly string[], how: "-f" | "-fu") {
  if (paths.length === 0) return;
  const args = ["checkout-index", how, "-q", "-z", "--stdin"];
  await runGit(repo, args, { input: joinRecords(paths) });
}

/** Copies into the file that was just written, which keeps its mode. */
const fetchScript = `cp -- "$1" "$2"
if command -v sha256sum >/dev/null; then sha256sum <"$2"; else shasum -a 256 <"$2"; fi`;

type Pointer = { hash: string; bytes: number };

/** Replaces pointers by their content; answers the paths where that was possible. */
async function fetchContents(
  repo: Repository,
  entries: readonly IndexEntry[],
  options: { store: string; isWanted: (entry: IndexEntry, pointer: Pointer) => boolean },
): Promise<string[]> {
  const fetched: string[] = [];
  for (const entry of entries) {
    const pointer = await readPointer(repo, entry);
    if (!pointer || !entry.path.isWellFormed() || !options.isWanted(entry, pointer)) continue;
    const { hash } = pointer;
    const place = `lfs/objects/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
    const values = [join(options.store, place), `./${entry.path}`];
    const answer = await askProgram(repo, ["sh", "-ec", fetchScript, "sh", ...values]);
    if (answer.exitCode === 0 && answer.stdout.toString().startsWith(hash))
      fetched.push(entry.path);
  }
  return fetched;
}

async function readPointer(repo: Repository, { blob }: IndexEntry): Promise<Pointer | undefined> {
  const answer = await askGit(repo, ["cat-file", "blob", blob], { maxBytes: maxPointerBytes });
  return answer.exitCode === 0 ? parsePointer(answer.stdout.toString()) : undefined;
}

/** Parses the pointer of a git-lfs file; undefined for another blob. */
export function parsePointer(text: string): Pointer | undefined {
  const lines =
    /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\nsize (\d+)\n$/;
  const [, hash, bytes] = lines.exec(text) ?? [];
  return hash && bytes ? { hash, bytes: Number(bytes) } : undefined;
}

/** Makes git forget the recorded size: with another size it would not compare the content. */
async function forget(repo: Repository, entries: readonly IndexEntry[]): Promise<void> {
  const lines = entries.map(({ mode, blob, path }) => `${mode} ${blob}\t${path}`);
  await runGit(repo, ["update-index", "-z", "--index-info"], { input: joinRecords(lines) });
}

/** Makes git record files as unchanged, by a filter that answers the index content. Never changes what is committed. */
async function recordAsClean(
  repo: Repository,
  { paths, filters }: { paths: readonly string[]; filters: Filters },
): Promise<void> {
  if (paths.length === 0) return;
  await untilNextSecond(repo);
  const first = Number(repo.env.GIT_CONFIG_COUNT ?? 0);
  const names = [...filters.values()];
  const settings = names.map((name) => [`filter.${name}.clean`, "git cat-file blob :0:%f"]);
  const env = gitSettings(Object.fromEntries(settings), first);
  const args = ["add", "--refresh", "--pathspec-from-file=-", "--pathspec-file-nul"];
  await askGit(repo, args, { input: joinRecords(paths), env });
}
