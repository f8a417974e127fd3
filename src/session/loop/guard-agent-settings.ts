import { pathMatcher } from "../../core/checks/path-pattern.ts";
import { steeringNames } from "../../core/checks/protection.ts";
import { toProjectPath } from "../../git/trees/tree-path.ts";
import { isSessionFile } from "../../git/worktree/session-exclude.ts";
import type { FileStat, Files } from "../../platform/system.ts";
import { protectionOf } from "./collect-changes.ts";
import type { SessionContext } from "./session-context.ts";

/** Most files whose content is kept, and the longest of them: folders of settings have few, and short ones. */
const maxFiles = 500;
const maxBytes = 256 * 1024;
/** Whole work trees of other conversations: too many files to look at before and after each call. */
const otherWorkTrees = ".claude/worktrees";

/** Files by their path below the work tree; undefined for one whose content is not kept. */
type Settings = ReadonlyMap<string, Buffer | undefined>;

type Listed = ReadonlyMap<string, FileStat>;

/**
 * Reads the files that steer agents, editors and git at the root of the project. Git may ignore them (`.husky/_`,
 * `.claude/settings.local.json`), so no snapshot holds them, and a changed one would run at the user's next call or commit. The
 * answer puts them back once all other changes were, and names those that were changed (T08, T51).
 */
export async function guardAgentSettings(
  session: SessionContext,
): Promise<() => Promise<string[]>> {
  const { prefix, system, worktree } = session.repo;
  const { agentFiles, allow } = protectionOf(session);
  const files = system.files(worktree);
  // An open editor of that kind rewrites its folder at any time.
  const watched = steeringNames(agentFiles).filter((name) => name !== ".idea");
  const names = watched.flatMap((name) => [name, `${prefix}${name}`]);
  const places = [...new Set(names)];
  const shown = (path: string) => toProjectPath(prefix, path);
  // Ralph itself writes some during the call, such as `.claude/ralph`.
  const list = async () => {
    const found = await listFiles(files, places);
    return new Map([...found].filter(([path]) => !isSessionFile(shown(path))));
  };
  const before = await readSettings(files, await list());
  const isAllowed = pathMatcher(allow);
  return async () => {
    const changed = await changedSince(files, { after: await list(), before });
    const refused = changed.filter((path) => !isAllowed(shown(path)));
    for (const path of refused) await putBack(files, path, before.get(path));
    return refused.map(shown);
  };
}

async function readSettings(files: Files, listed: Listed): Promise<Settings> {
  const found = new Map<string, Buffer | undefined>();
  for (const [path, { kind, bytes }] of listed) {
    const isKept = kind === "file" && bytes <= maxBytes && found.size < maxFiles;
    found.set(path, isKept ? await files.read(path, { maxBytes }) : undefined);
  }
  return found;
}

/** New ones, and those that are gone or have another content. */
async function changedSince(
  files: Files,
  { after, before }: { after: Listed; before: Settings },
): Promise<string[]> {
  const changed = [...after.keys()].filter((path) => !before.has(path));
  for (const [path, content] of before) {
    const stat = after.get(path);
    const isSame = content === undefined || (await isStill(files, path, { stat, content }));
    if (!isSame) changed.push(path);
  }
  return changed;
}

async function isStill(
  files: Files,
  path: string,
  { stat, content }: { stat: FileStat | undefined; content: Buffer },
): Promise<boolean> {
  if (stat?.kind !== "file" || stat.bytes !== content.length) return false;
  return (await files.read(path, { maxBytes }))?.equals(content) ?? false;
}

async function putBack(files: Files, path: string, content: Buffer | undefined): Promise<void> {
  await files.remove(path);
  if (content !== undefined) await files.write(path, content);
}

async function listFiles(files: Files, places: readonly string[]): Promise<Listed> {
  const found = new Map<string, FileStat>();
  // One look at the root spares most of the others.
  const root = new Set(await files.list(""));
  const queue = places.filter((path) => root.has(path.split("/")[0] ?? ""));
  for (let at = 0; at < queue.length; at++) {
    const path = queue[at] ?? "";
    const stat = await files.stat(path);
    if (stat?.kind === "folder") {
      const names = await files.list(path);
      if (!path.endsWith(otherWorkTrees)) queue.push(...names.map((name) => `${path}/${name}`));
    } else if (stat) found.set(path, stat);
  }
  return found;
}
