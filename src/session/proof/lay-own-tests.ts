import { firstTestLine, holdsTests, withTestsOf } from "../../core/proof/own-tests.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { treeWithText } from "../../git/trees/tree-with.ts";

/** A tree in which files that hold tests beside their code have the tests of another tree; new files stay as they are. */
export async function layOwnTests(
  repo: Repository,
  { tree, from, paths }: { tree: string; from: string; paths: readonly string[] },
): Promise<string> {
  let laid = tree;
  for (const path of paths.filter(holdsTests)) {
    const [code, tests] = await textsOf(repo, path, [tree, from]);
    if (code === undefined || tests === undefined) continue;
    const text = withTestsOf(path, code, tests);
    if (text !== undefined) laid = await treeWithText(repo, { tree: laid, path, text });
  }
  return laid;
}

/** The texts of a file in several trees; undefined where it is absent. */
export const textsOf = (
  repo: Repository,
  path: string,
  trees: readonly string[],
): Promise<(string | undefined)[]> =>
  Promise.all(trees.map(async (treeish) => (await readBlob(repo, { treeish, path }))?.toString()));

/** The line of a file from which on it holds tests; infinity where it holds none. */
export async function testsFrom(
  repo: Repository,
  file: { treeish: string; path: string },
): Promise<number> {
  if (!holdsTests(file.path)) return Number.POSITIVE_INFINITY;
  return firstTestLine(file.path, (await readBlob(repo, file))?.toString() ?? "");
}
