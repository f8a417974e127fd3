import { basename, dirname, join } from "node:path/posix";
import type { Files } from "../../platform/system.ts";
import type { Repository } from "../repository/repository.ts";
import { runGit } from "../repository/run-git.ts";

/** A checkout of the project in a separate folder; removed on disposal. */
export interface Checkout extends AsyncDisposable {
  readonly worktree: string;
  /** The project root in it. */
  readonly root: string;
}

/**
 * Writes a tree's files into a new folder outside the repository, for gates on the start tree (design 4, step 3).
 * It holds no `.git`, nothing ignored, and shares neither index nor HEAD with the work tree.
 */
export async function checkoutTree(
  repo: Repository,
  { tree, directory }: { tree: string; directory: string },
): Promise<Checkout> {
  const parent = repo.system.files(dirname(directory));
  const name = basename(directory);
  await removeCheckout(parent, name);
  await parent.makeFolder(name);
  const env = { GIT_WORK_TREE: directory, GIT_INDEX_FILE: join(dirname(directory), indexOf(name)) };
  await runGit(repo, ["read-tree", "-m", "-u", tree], { env });
  return {
    worktree: directory,
    root: join(directory, repo.prefix).replace(/\/$/, ""),
    [Symbol.asyncDispose]: () => removeCheckout(parent, name),
  };
}

const indexOf = (name: string) => `${name}.index`;

/** Removes all parts of a checkout, even after a kill. */
export async function removeCheckout(parent: Files, name: string): Promise<void> {
  await parent.remove(name);
  await parent.remove(indexOf(name));
}
