import type { Repository } from "../repository/repository.ts";
import { runGit } from "../repository/run-git.ts";

const folder = "refs/ralph/kept/";

/** Keeps a tree that is in no commit from being pruned, until `dropTrees` (design 4: work of a task that ended). */
export async function keepTree(repo: Repository, tree: string): Promise<void> {
  await runGit(repo, ["update-ref", `${folder}${tree}`, tree]);
}

/** Lets kept trees go; `ralph clean` does so with their session. */
export async function dropTrees(repo: Repository, trees: readonly string[]): Promise<void> {
  const input = trees.map((tree) => `delete ${folder}${tree}\n`).join("");
  await runGit(repo, ["update-ref", "--stdin"], { input });
}
