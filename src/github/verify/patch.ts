import type { Repository } from "../../git/repository/repository.ts";
import { runGit } from "../../git/repository/run-git.ts";
import { listTree } from "../../git/trees/list-paths.ts";
import { readBlobs } from "../../git/trees/objects.ts";
import { isAbsent, type TreeEntry, treeChanges } from "../../git/trees/tree-changes.ts";
import { toProjectPath } from "../../git/trees/tree-path.ts";

/** One side of a changed file. The content is undefined for files that are too large, and for gitlinks. */
export interface FileSide {
  /** As git writes it: 100644, 100755, 120000 (link), 160000 (gitlink). */
  mode: string;
  bytes: number;
  content: Buffer | undefined;
}

/** A path below the project root that a commit changes; a side is undefined where the file does not exist. */
export interface PatchFile {
  path: string;
  before: FileSide | undefined;
  after: FileSide | undefined;
}

/** The changes of one commit. */
export interface Patch {
  /** The commit object: tree, parent, author, committer, message. */
  text: string;
  files: readonly PatchFile[];
  paths: readonly string[];
}

/** Lines of the new content that the old one lacks, in order. */
export function addedLines({ before, after }: PatchFile): string[] {
  if (!after?.content) return [];
  const known = new Set(linesOf(before?.content));
  return linesOf(after.content).filter((line) => !known.has(line));
}

/** The size of a patch of the file: added and removed lines, in bytes. */
export function changedBytes({ path, before, after }: PatchFile): number {
  return addedBytes({ path, before, after }) + addedBytes({ path, before: after, after: before });
}

function addedBytes(file: PatchFile): number {
  const { after } = file;
  if (after && !after.content) return after.bytes;
  return addedLines(file).reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

/** Other encodings become text with odd characters. */
function linesOf(content: Buffer | undefined): string[] {
  return content?.length ? content.toString().replace(/\n$/, "").split("\n") : [];
}

/** Content read for one commit, both sides together; beyond it only sizes are known. */
const maxContentBytes = 128 * 1024 * 1024;

/** Reads the changes of a commit against its parent. Files above `maxFileBytes` are not read. */
export async function readPatch(
  repo: Repository,
  { commit, maxFileBytes }: { commit: string; maxFileBytes: number },
): Promise<Patch> {
  const text = await runGit(repo, ["cat-file", "commit", commit]);
  const files = await readChanges(repo, { from: `${commit}^`, to: commit, maxFileBytes });
  return { text: text.toString(), files, paths: await listTree(repo, commit) };
}

/** Every file that differs between two commits, with both sides. */
export async function readChanges(
  repo: Repository,
  { from, to, maxFileBytes }: { from: string; to: string; maxFileBytes: number },
): Promise<PatchFile[]> {
  const changes = await treeChanges(repo, { from, to });
  const ids = changes.flatMap(({ before, after }) => [before, after]).filter(isBlob);
  const sizes = await readSizes(repo, ids);
  const contents = await readContents(repo, { sizes, maxFileBytes });
  const side = (entry: TreeEntry): FileSide | undefined =>
    isAbsent(entry)
      ? undefined
      : { mode: entry.mode, bytes: sizes.get(entry.id) ?? 0, content: contents.get(entry.id) };
  return changes.map(({ path, before, after }) => ({
    path: toProjectPath(repo.prefix, path),
    before: side(before),
    after: side(after),
  }));
}

const isBlob = (entry: TreeEntry) => !isAbsent(entry) && entry.mode !== "160000";

async function readSizes(
  repo: Repository,
  entries: readonly TreeEntry[],
): Promise<Map<string, number>> {
  const ids = [...new Set(entries.map(({ id }) => id))];
  const input = ids.map((id) => `${id}\n`).join("");
  const args = ["cat-file", "--batch-check=%(objectname) %(objectsize)"];
  const lines = (await runGit(repo, args, { input })).toString().split("\n");
  return new Map(
    lines.flatMap((line) => {
      const [id = "", bytes] = line.split(" ");
      return /^\d+$/.test(bytes ?? "") ? [[id, Number(bytes)] as const] : [];
    }),
  );
}

async function readContents(
  repo: Repository,
  { sizes, maxFileBytes }: { sizes: Map<string, number>; maxFileBytes: number },
): Promise<Map<string, Buffer>> {
  let total = 0;
  const wanted = [...sizes].filter(([, bytes]) => {
    total += bytes;
    return bytes <= maxFileBytes && total <= maxContentBytes;
  });
  return readBlobs(
    repo,
    wanted.map(([id]) => id),
  );
}
