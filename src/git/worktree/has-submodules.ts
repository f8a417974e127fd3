import type { Repository } from "../repository/repository.ts";
import { askProgram } from "../repository/run-git.ts";

/** Whether the private index has a commit of another repository. */
export async function hasSubmodules(repo: Repository): Promise<boolean> {
  const script = "git ls-files --stage | grep -q '^160000 '";
  return (await askProgram(repo, ["sh", "-c", script])).exitCode === 0;
}
