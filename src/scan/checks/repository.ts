import { readStartPoint } from "../../git/commits/start-point.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { askGit, runGit } from "../../git/repository/run-git.ts";
import { listPaths } from "../../git/trees/list-paths.ts";
import { splitRecords, toProjectPath } from "../../git/trees/tree-path.ts";
import { filteredPaths } from "../../git/worktree/filtered-paths.ts";
import { counted, shortCommit } from "../../text/figures.ts";
import { type Check, listLines, pass, warningResult } from "../check.ts";

/** Checks that a run can start in the repository: work tree, branch, commit, no unfinished merge, full history. */
export const repository: Check = {
  name: "repository",
  needs: ["state", "git"],
  run: async (context) => {
    const repo = await context.repo();
    const { branch, commit } = await readStartPoint(repo);
    const where = `branch ${branch} at ${shortCommit(commit)}`;
    const path = repo.worktree;
    const answer = await askGit(repo, ["rev-parse", "--is-shallow-repository"]);
    if (answer.stdout.toString().trim() !== "true") return pass(where, { path });
    return warningResult(`${where}; a shallow clone, which may lack the base of a pull request.`, {
      path,
      remedy: "Fetch the full history; in GitHub Actions: `fetch-depth: 0` for actions/checkout.",
      fixes: [{ command: "git fetch --unshallow" }],
    });
  },
};

/** Lists tracked paths that no agent may change: submodules and files of git-lfs (design 5). */
export const refusedPaths: Check = {
  name: "refused-paths",
  needs: ["repo"],
  run: async (context) => {
    const repo = await context.repo();
    const filtered = await filteredPaths(repo, await listPaths(repo));
    const submodules = await listSubmodules(repo);
    if (filtered.size + submodules.length === 0) {
      return pass("none: no submodule and no file behind a filter such as git-lfs");
    }
    const message = render(
      filtered,
      submodules.map((path) => toProjectPath(repo.prefix, path)),
    );
    const { list } = context.system.files(repo.worktree);
    const contents = await Promise.all(submodules.map(list));
    if (contents.every(({ length }) => length > 0)) return pass(message);
    return warningResult(`${message}\n  A submodule is empty here; gates may need its files.`, {
      remedy: "Fetch it; in GitHub Actions: `submodules: recursive` for actions/checkout.",
      fixes: [{ command: "git submodule update --init --recursive" }],
    });
  },
};

function render(filtered: ReadonlyMap<string, string>, submodules: readonly string[]): string {
  const files = [...filtered].map(([path, filter]) => `${path} (filter ${filter})`);
  const modules = submodules.map((path) => `${path} (submodule)`);
  return [
    `${counted(submodules.length, "submodule")}, ${counted(filtered.size, "file")} behind a filter; changes there are refused:`,
    ...listLines([...modules, ...files]),
    "  In a separate checkout, gates find submodules empty and these files unfiltered.",
  ].join("\n");
}

/** The submodules in the index; paths from the root of the work tree. */
async function listSubmodules(repo: Repository): Promise<string[]> {
  const maxBytes = 64 * 1024 * 1024;
  const records = splitRecords(await runGit(repo, ["ls-files", "--stage", "-z"], { maxBytes }));
  return records
    .filter((record) => record.startsWith("160000 "))
    .map((record) => record.slice(record.indexOf("\t") + 1));
}
