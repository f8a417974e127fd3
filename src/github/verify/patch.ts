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
  /** Every path of the commit's tree. */
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
