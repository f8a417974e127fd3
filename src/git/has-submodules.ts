import type { Repository } from "./repository.ts";
import { runGit } from "./run-git.ts";
import { splitRecords } from "./tree-path.ts";

/** Room for the entries of several hundred thousand files. */
const maxBytes = 128 * 1024 * 1024;

/** Whether the private index names another repository's commit anywhere. */
export async function hasSubmodules(repo: Repository): Promise<boolean> {
  const entries = await runGit(repo, ["ls-files", "--stage", "-z"], { maxBytes });
  return splitRecords(entries).some((entry) => entry.startsWith("160000 "));
}
