import type { Files } from "../../platform/system.ts";
import type { Repository } from "../repository/repository.ts";
import { toProjectPath } from "../trees/tree-path.ts";
import { isSessionFile } from "./session-exclude.ts";

/** Most paths that are checked: walking through every dependency is slow. */
const maxChecked = 4000;
const maxReported = 50;
/** File times tick every 1 to 10 ms, so a change may appear that much older than it is. */
const tickMs = 10;

/** Ignored paths that changed after `sinceMs`: they can fake gates (design 9.5). The nearest 4,000 are checked. */
export async function ignoredChanged(
  repo: Repository,
  { ignored, sinceMs }: { ignored: readonly string[]; sinceMs: number },
): Promise<string[]> {
  const queue = ignored
    .filter((path) => !isSessionFile(toProjectPath(repo.prefix, path)))
    .map((path) => path.replace(/\/$/, ""));
  const found = await walk(repo, { queue, sinceMs: sinceMs - tickMs });
  return found.map((path) => toProjectPath(repo.prefix, path));
}

async function walk(
  { system, worktree, sessionDir }: Repository,
  { queue, sinceMs }: { queue: string[]; sinceMs: number },
): Promise<string[]> {
  const files = system.files(worktree);
  const found: string[] = [];
  for (let looked = 0; looked < Math.min(queue.length, maxChecked); looked++) {
    const path = queue[looked];
    if (path === undefined || found.length === maxReported) break;
    // The session directory may be in an ignored folder.
    if (`${path}/` === sessionDir) continue;
    const stat = await files.stat(path);
    if (stat?.kind === "folder") queue.push(...(await children(files, path)));
    else if (stat !== undefined && stat.changedMs > sinceMs) found.push(path);
  }
  return found;
}

const children = async (files: Files, folder: string): Promise<string[]> =>
  (await files.list(folder)).map((name) => `${folder}/${name}`);
