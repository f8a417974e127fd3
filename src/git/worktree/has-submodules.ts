import type { Repository } from "../repository/repository.ts";
import { askProgram } from "../repository/run-git.ts";

/** Whether a commit has commits of other repositories in it. */
export async function hasSubmodules(repo: Repository, commit: string): Promise<boolean> {
  const script = `git ls-tree -r "$1" | grep -q '^160000 '`;
  return (await askProgram(repo, ["sh", "-c", script, "sh", commit])).exitCode === 0;
}
