import type { Files } from "../../platform/system.ts";
import type { Repository } from "../repository/repository.ts";
import { toProjectPath } from "../trees/tree-path.ts";
import { isSessionFile } from "./session-exclude.ts";

/** A look is cheap, a walk through every dependency is not. */
const maxLooks = 4000;
const maxReported = 50;
/** Kernels date files by a clock that ticks every 1 to 10 ms: a change may look as much older than it is. */
const tickMs = 10;

/**
 * Those of the ignored paths (`Status`), and the files in them, that changed after `sinceMs`: they can fake gates,
 * so they are reported (design 9.5). Breadth first and bounded: the nearest 4,000 paths are looked at, at most 50 are named.
 */
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
  for (let looked = 0; looked < Math.min(queue.length, maxLooks); looked++) {
    const path = queue[looked];
    if (path === undefined || found.length === maxReported) break;
    // The session directory may lie in a folder that is ignored.
    if (`${path}/` === sessionDir) continue;
    const stat = await files.stat(path);
    if (stat?.kind === "folder") queue.push(...(await children(files, path)));
    else if (stat !== undefined && stat.changedMs > sinceMs) found.push(path);
  }
  return found;
}

async function children(files: Files, folder: string): Promise<string[]> {
  return (await files.list(folder)).map((name) => `${folder}/${name}`);
}
