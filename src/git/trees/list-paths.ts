import type { Repository } from "../repository/repository.ts";
import { askProgram, runGit } from "../repository/run-git.ts";
import { splitRecords, toProjectPath, toTreePath } from "./tree-path.ts";

/** Room for the names of several hundred thousand files. */
const maxBytes = 64 * 1024 * 1024;

/** The files in the private index, below the project root; `under` limits them to one path and those below it. */
export async function listPaths(repo: Repository, under = ""): Promise<string[]> {
  const spec = toTreePath(repo.prefix, under).replace(/\/$/, "");
  const args = ["ls-files", "--cached", "-z", ...(spec ? ["--", spec] : [])];
  return splitRecords(await runGit(repo, args, { maxBytes })).map(relativeTo(repo));
}

/** The files of a tree, below the project root. */
export async function listTree(repo: Repository, tree: string): Promise<string[]> {
  const args = ["ls-tree", "-r", "-z", "--name-only", tree];
  return splitRecords(await runGit(repo, args, { maxBytes })).map(relativeTo(repo));
}

const relativeTo = (repo: Repository) => (path: string) => toProjectPath(repo.prefix, path);

/** The paths below the project root, of those given, that a commit holds. */
export async function trackedAmong(
  repo: Repository,
  commit: string,
  paths: readonly string[],
): Promise<string[]> {
  const specs = paths.map((path) => toTreePath(repo.prefix, path));
  const args = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, "--", ...specs];
  return splitRecords(await runGit(repo, args)).map((path) => toProjectPath(repo.prefix, path));
}

/** Whether a commit has commits of other repositories in it. */
export async function hasSubmodules(repo: Repository, commit: string): Promise<boolean> {
  const script = `git ls-tree -r "$1" | grep -q '^160000 '`;
  return (await askProgram(repo, ["sh", "-ec", script, "sh", commit])).exitCode === 0;
}
