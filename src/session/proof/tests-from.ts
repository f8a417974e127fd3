import { firstTestLine, holdsTests } from "../../core/proof/own-tests.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { readBlob } from "../../git/trees/objects.ts";

/** The line of a file from which on it holds tests; infinity where it holds none. */
export async function testsFrom(
  repo: Repository,
  file: { treeish: string; path: string },
): Promise<number> {
  if (!holdsTests(file.path)) return Number.POSITIVE_INFINITY;
  return firstTestLine(file.path, (await readBlob(repo, file))?.toString() ?? "");
}
