import type { Repository } from "../repository/repository.ts";
import { runGit } from "../repository/run-git.ts";

const folder = "refs/ralph/kept/";

/** Protects a tree that is in no commit from pruning until `dropTrees` (design 4: work of a failed task). */
export async function keepTree(repo: Repository, tree: string): Promise<void> {
  await runGit(repo, ["update-ref", `${folder}${tree}`, tree]);
}

/** Releases kept trees; `ralph clean` does so with their session. */
export async function dropTrees(repo: Repository, trees: readonly string[]): Promise<void> {
  const input = trees.map((tree) => `delete ${folder}${tree}\n`).join("");
  await runGit(repo, ["update-ref", "--stdin"], { input });
}
