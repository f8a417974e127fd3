/** One side of a changed file. The content is undefined where it is not read: of what is too large, and gitlinks. */
export interface FileSide {
  /** As git writes it: 100644, 100755, 120000 (link), 160000 (gitlink). */
  mode: string;
  bytes: number;
  content: Buffer | undefined;
}

/** A path below the project root that a commit changes; a side is missing where the file is. */
export interface PatchFile {
  path: string;
  before: FileSide | undefined;
  after: FileSide | undefined;
}

/** What one commit brings. */
export interface Patch {
  /** The commit as git stores it: tree, parent, author, committer, message. */
  text: string;
  files: readonly PatchFile[];
  /** Every path of the commit's tree. */
  paths: readonly string[];
}

/** Lines of the new content that the old one does not have, in their order. */
export function addedLines({ before, after }: PatchFile): string[] {
  if (!after?.content) return [];
  const known = new Set(linesOf(before?.content));
  return linesOf(after.content).filter((line) => !known.has(line));
}

/** What a patch of the file would hold: lines that came and lines that went, in bytes. */
export function changedBytes({ path, before, after }: PatchFile): number {
  const there: PatchFile = { path, before, after };
  const back: PatchFile = { path, before: after, after: before };
  return [there, back].reduce((sum, side) => sum + addedBytes(side), 0);
}

function addedBytes(file: PatchFile): number {
  const { after } = file;
  if (after && !after.content) return after.bytes;
  return addedLines(file).reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

/** A file of another encoding is text with odd characters. */
function linesOf(content: Buffer | undefined): string[] {
  return content?.length ? content.toString().replace(/\n$/, "").split("\n") : [];
}
