import type { LiveStatus } from "../../dialects/dialect.ts";
import { documentStatusOf, hasLiveStatus } from "../../dialects/dialects.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { FileError } from "../../platform/file-error.ts";
import type { Config } from "../../schema/config/config.ts";

/**
 * Among changed paths, the documents that differ from `treeish` only in the status ralph wrote into the work tree between
 * two passes.
 */
export async function liveChanges(
  repo: Repository,
  config: Pick<Config, "compat">,
  { paths, treeish }: { paths: readonly string[]; treeish: string },
): Promise<Map<string, LiveStatus>> {
  const found = new Map<string, LiveStatus>();
  for (const path of paths.filter((each) => hasLiveStatus(config, each))) {
    const after = await readText(repo, path);
    const before = (await readBlob(repo, { treeish, path }))?.toString();
    if (before === undefined || after === undefined) continue;
    const status = documentStatusOf(config, { before, after });
    if (status) found.set(path, status);
  }
  return found;
}

/** A link that an agent put in the file's place is a change like any other. */
async function readText({ system, root }: Repository, path: string): Promise<string | undefined> {
  try {
    return (await system.files(root).read(path))?.toString();
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
