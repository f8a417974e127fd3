import type { Repository } from "../repository/repository.ts";
import { runGit } from "../repository/run-git.ts";
import { joinRecords, splitRecords, toProjectPath, toTreePath } from "../trees/tree-path.ts";

/** Room for the names of several hundred thousand files. */
const maxBytes = 64 * 1024 * 1024;

/** git's words for an attribute that names nothing. */
const noFilter = ["unspecified", "unset", "set"];

/**
 * Which of these paths of the project are behind a filter, such as that of git-lfs, and its name. No filter runs in git
 * commands of ours, so changes there are refused (design 5). By the attributes of the private index: what the agent
 * wrote into `.gitattributes` does not count.
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
