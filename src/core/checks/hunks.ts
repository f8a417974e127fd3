/** One place of a change, as a patch of its own that git can take back. */
export interface Hunk {
  path: string;
  /** The first line it touches in the new file. */
  line: number;
  patch: string;
}

/** The hunks of a patch, in order. Binary files, renames and mode changes have none: git cannot take them back line by line. */
export function hunksOf(patch: string): Hunk[] {
  return patch.split(/^(?=diff --git )/m).flatMap((file) => {
    const [head = "", ...hunks] = file.split(/^(?=@@ )/m);
    const path = pathIn(head);
    if (path === undefined) return [];
    return hunks.map((text) => ({ path, line: lineIn(text), patch: head + text }));
  });
}

/** `+++ b/src/a.js`, or the old name where the file is gone; quoted names hold characters git escapes. */
function pathIn(head: string): string | undefined {
  const names = [
    /^\+\+\+ (?:"?b\/)(.+?)"?\t?$/m.exec(head)?.[1],
    /^--- (?:"?a\/)(.+?)"?\t?$/m.exec(head)?.[1],
  ];
  return names.find((name) => name !== undefined);
}

/** The first added or removed line, counted in the new file. */
function lineIn(hunk: string): number {
  const start = Number(/^@@ -\S+ \+(\d+)/.exec(hunk)?.[1] ?? 0);
  const lines = hunk.split("\n").slice(1);
  const at = lines.findIndex((line) => line.startsWith("+") || line.startsWith("-"));
  return Math.max(1, start + Math.max(0, at));
}

/** Whether taking a hunk back has no effect: it changes only comments, blank lines, or layout as a formatter does. */
export function isUnnoticeable({ patch }: Pick<Hunk, "patch">): boolean {
  const lines = patch.split("\n").filter((line) => /^[+-](?!\+\+ |-- )/.test(line));
  const bodies = lines.map((line) => line.slice(1).trim());
  if (bodies.every((body) => body === "" || comment.test(body))) return true;
  const side = (sign: string) =>
    lines
      .flatMap((line) => (line.startsWith(sign) ? line.slice(1) : []))
      .join("")
      .replace(layout, "");
  return side("+") === side("-");
}

const comment = /^(?:\/\/|#(?!\[|!|include|define|if|endif)|\/\*|\*|"""|'''|<!--|--\s)/;
const layout = /[\s'"`,;()[\]{}]/g;

/** At most `most` of them, spread evenly, the first and the last included. */
export function spread<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items];
  if (most <= 1) return items.slice(0, most);
  const step = (items.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => items[Math.round(index * step)]).filter(
    (item) => item !== undefined,
  );
}

/** The lines a patch adds to a file, numbered in the new file, and those it removes, numbered in the old one. */
export interface ChangedLines {
  path: string;
  /** `replaces`: it stands where a removed line was. */
  added: { line: number; text: string; replaces?: true }[];
  removed: { line: number; text: string }[];
}

export function changedLines(hunks: readonly Hunk[]): ChangedLines[] {
  return [...Map.groupBy(hunks, ({ path }) => path)].map(([path, own]) => {
    const all = own.map(({ patch }) => linesIn(patch));
    return {
      path,
      added: all.flatMap(({ added }) => added),
      removed: all.flatMap(({ removed }) => removed),
    };
  });
}

function linesIn(patch: string): Omit<ChangedLines, "path"> {
  const [, from = "0", to = "0"] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/m.exec(patch) ?? [];
  const body = patch.slice(patch.search(/^@@ /m)).split("\n").slice(1);
  const lines: Omit<ChangedLines, "path"> = { added: [], removed: [] };
  let [old, now, gone] = [Number(from), Number(to), 0];
  for (const text of body) {
    const content = text.slice(1);
    if (text.startsWith("+")) {
      const replaces = gone-- > 0 && { replaces: true as const };
      lines.added.push({ line: now++, text: content, ...replaces });
    } else if (text.startsWith("-")) {
      lines.removed.push({ line: old++, text: content });
      gone = Math.max(0, gone) + 1;
    } else if (text.startsWith(" ")) {
      [old, now, gone] = [old + 1, now + 1, 0];
    }
  }
  return lines;
}
