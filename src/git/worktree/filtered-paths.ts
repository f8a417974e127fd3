import type { Repository } from "../repository/repository.ts";
import { runGit } from "../repository/run-git.ts";
import { joinRecords, splitRecords, toProjectPath, toTreePath } from "../trees/tree-path.ts";

/** Room for the names of several hundred thousand files. */
const maxBytes = 64 * 1024 * 1024;

/** Git's values for an attribute without a name. */
const noFilter = ["unspecified", "unset", "set"];

/**
 * The paths of the project, of those given, that have a filter such as git-lfs, and its name. Ralph's git runs no filters,
 * so changes there are refused (design 5). The private index's attributes decide: an agent's `.gitattributes` does not
 * count.
 */
export async function filteredPaths(
  repo: Repository,
  paths: readonly string[],
): Promise<Map<string, string>> {
  if (!repo.usesFilters || paths.length === 0) return new Map();
  const input = joinRecords(paths.map((path) => toTreePath(repo.prefix, path)));
  const args = ["check-attr", "--cached", "-z", "--stdin", "filter"];
  const fields = splitRecords(await runGit(repo, args, { input, maxBytes }));
  const found = new Map<string, string>();
  for (const [index, path] of fields.entries()) {
    const filter = fields[index + 2];
    if (index % 3 > 0 || filter === undefined || noFilter.includes(filter)) continue;
    found.set(toProjectPath(repo.prefix, path), filter);
  }
  return found;
}
