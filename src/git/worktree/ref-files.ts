import type { FileStat, Files } from "../../platform/system.ts";
import type { Repository } from "../repository/repository.ts";

/** More are read faster by git. */
const maxFiles = 200;
/** A second change within a tick of the file system's clock keeps the time of the first. */
const tickMs = 20;

/**
 * The times and sizes of the files that keep branches and tags, without the one of `branch`: the same text again means that
 * no ref has changed, which costs no process. Undefined where only git can tell: refs in tables, links, very many refs, or
 * a change a moment ago.
 */
export async function readRefFiles(repo: Repository, branch: string): Promise<string | undefined> {
  const files = repo.system.files(repo.commonDir);
  if (await files.stat("reftable")) return undefined;
  const found = await filesOfRefs(files, `refs/heads/${branch}`);
  const now = repo.system.clock.now();
  const isCertain =
    found.length <= maxFiles &&
    found.every(({ kind, changedMs }) => kind === "file" && now - changedMs >= tickMs);
  if (!isCertain) return undefined;
  return found.map(({ path, bytes, changedMs }) => `${path} ${bytes} ${changedMs}`).join("\n");
}

/** What is no folder, in a stable order; not much more than `maxFiles`. */
async function filesOfRefs(files: Files, own: string): Promise<(FileStat & { path: string })[]> {
  const paths = ["packed-refs", "refs/heads", "refs/tags"];
  const found: (FileStat & { path: string })[] = [];
  for (const path of paths) {
    const stat = path === own || found.length > maxFiles ? undefined : await files.stat(path);
    if (stat?.kind === "folder") {
      paths.push(...(await files.list(path)).map((name) => `${path}/${name}`));
    } else if (stat) found.push({ ...stat, path });
  }
  return found;
}
