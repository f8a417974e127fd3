import { RalphError } from "../../error.ts";
import type { FileStat, Files } from "../../platform/system.ts";

/** Most files whose content is kept, and the longest of them: folders of settings have few, and short ones. */
const maxKept = 500;
const maxBytes = 256 * 1024;
/** Most files that are watched at all. */
const maxWatched = 20_000;
/** Most paths that are named. */
const maxNamed = 500;

/** Whole work trees of other conversations: too many files to look at before and after each call. */
const otherWorkTrees = ".claude/worktrees";

export interface Watched {
  /** Files and folders below the root of the files. */
  readonly places: readonly string[];
  /** Others below these places are left alone. */
  readonly isWatched: (path: string) => boolean;
  /** The files below the places that git has put back already. Asked only where one of them may be among the changed. */
  readonly listInGit: () => Promise<ReadonlySet<string>>;
}

export interface PutBack {
  /** Paths that were changed, at most 500. */
  readonly changed: readonly string[];
  /** Those whose former content was not kept: they are gone. */
  readonly lost: readonly string[];
}

/** `content` is undefined where it is not kept. */
type Before = ReadonlyMap<string, { readonly stat: FileStat; readonly content?: Buffer }>;

/** Reads files; the answer puts them back as they were, and removes new ones and changed ones whose content is not kept. */
export async function watchFiles(files: Files, watched: Watched): Promise<() => Promise<PutBack>> {
  const { found, isWhole } = await listFiles(files, watched, maxWatched);
  if (!isWhole) throw tooMany([...found.keys()].at(-1) ?? "");
  const before = await keepContent(files, found);
  return async () => {
    const added = await removeNew(files, watched, before);
    const changed: string[] = [];
    for (const [path, was] of before) if (!(await isStill(files, path, was))) changed.push(path);
    const isUnkept = (path: string) => before.get(path)?.content === undefined;
    // Being put back by git gave these a new time too: a large file, or a link.
    const inGit = changed.some(isUnkept) ? await watched.listInGit() : new Set<string>();
    const ours = changed.filter((path) => !(isUnkept(path) && inGit.has(path)));
    for (const path of ours) await putBack(files, path, before.get(path)?.content);
    const lost = ours.filter(isUnkept);
    return { changed: [...added, ...ours].slice(0, maxNamed), lost: lost.slice(0, maxNamed) };
  };
}

const tooMany = (path: string) => {
  const place = topOf(path);
  return new RalphError("config", {
    message: `More than ${maxWatched} files that steer agents and editors lie in this project, the last of them below ${place}: ralph cannot watch them all.`,
    remedy: `Remove what is not needed there, or let agents change it: \`protect: { allow: ["${place}/**"] }\`.`,
  });
};

async function keepContent(files: Files, listed: ReadonlyMap<string, FileStat>): Promise<Before> {
  const kept: [string, { stat: FileStat; content?: Buffer }][] = [];
  let count = 0;
  for (const [path, stat] of listed) {
    const isKept = stat.kind === "file" && stat.bytes <= maxBytes && count < maxKept;
    const content = isKept ? await files.read(path, { maxBytes }) : undefined;
    if (content) count += 1;
    kept.push([path, { stat, ...(content && { content }) }]);
  }
  return new Map(kept);
}

/** However many there are: each turn removes those that it found. */
async function removeNew(files: Files, watched: Watched, before: Before): Promise<string[]> {
  const named: string[] = [];
  while (true) {
    const { found, isWhole } = await listFiles(files, watched, before.size + maxWatched);
    const added = [...found.keys()].filter((path) => !before.has(path));
    for (const path of added) await files.remove(path);
    named.push(...added.slice(0, maxNamed - named.length));
    if (isWhole) return named;
  }
}

/** Without its content by the time of its last change, which no program can set. */
async function isStill(
  files: Files,
  path: string,
  { stat, content }: { stat: FileStat; content?: Buffer },
): Promise<boolean> {
  const now = await files.stat(path);
  if (content === undefined) return JSON.stringify(now) === JSON.stringify(stat);
  if (now?.kind !== "file" || now.bytes !== content.length) return false;
  return (await files.read(path, { maxBytes }))?.equals(content) ?? false;
}

async function putBack(files: Files, path: string, content: Buffer | undefined): Promise<void> {
  await files.remove(path);
  if (content !== undefined) await files.write(path, content);
}

/** Up to a number of files; `isWhole` is false where there are more. */
async function listFiles(
  files: Files,
  { places, isWatched }: Watched,
  limit: number,
): Promise<{ found: ReadonlyMap<string, FileStat>; isWhole: boolean }> {
  const found = new Map<string, FileStat>();
  // One look at the root spares most of the others.
  const root = new Set(await files.list(""));
  const queue = places.filter((path) => root.has(topOf(path)));
  for (let at = 0; at < queue.length; at++) {
    const path = queue[at] ?? "";
    const stat = await files.stat(path);
    if (stat?.kind === "folder") for (const inner of await namesIn(files, path)) queue.push(inner);
    if (!stat || stat.kind === "folder" || !isWatched(path)) continue;
    if (found.size === limit) return { found, isWhole: false };
    found.set(path, stat);
  }
  return { found, isWhole: true };
}

const topOf = (path: string) => path.split("/")[0] ?? "";

async function namesIn(files: Files, folder: string): Promise<string[]> {
  const names = folder.endsWith(otherWorkTrees) ? [] : await files.list(folder);
  return names.map((name) => `${folder}/${name}`);
}
