import { basename, dirname, join } from "node:path/posix";
import { leaveVisibleFolder, visibleFolder } from "../../platform/fs/visible-folder.ts";
import type { System } from "../../platform/system.ts";
import type { Repository } from "../repository/repository.ts";
import { runGit } from "../repository/run-git.ts";

/** A checkout of the project in a separate folder; removed on disposal. */
export interface Checkout extends AsyncDisposable {
  readonly worktree: string;
  /** The project root in it. */
  readonly root: string;
}

/** Writes a tree into a new folder, for gates on the start tree (design 4), without `.git` and ignored files. */
export async function checkoutTree(
  repo: Repository,
  { tree, directory: folder }: { tree: string; directory: string },
): Promise<Checkout> {
  const directory = visibleFolder(folder);
  const name = basename(directory);
  await removeCheckout(repo.system, folder);
  await repo.system.files(dirname(directory)).makeFolder(name);
  const env = { GIT_WORK_TREE: directory, GIT_INDEX_FILE: join(dirname(directory), indexOf(name)) };
  await runGit(repo, ["read-tree", "-m", "-u", tree], { env });
  return {
    worktree: directory,
    root: join(directory, repo.prefix).replace(/\/$/, ""),
    [Symbol.asyncDispose]: () => removeCheckout(repo.system, folder),
  };
}

const indexOf = (name: string) => `${name}.index`;

/** Removes all parts of a checkout, even after a kill. */
export async function removeCheckout(system: Pick<System, "files">, folder: string): Promise<void> {
  const parent = system.files(dirname(visibleFolder(folder)));
  const name = basename(folder);
  await parent.remove(name);
  await parent.remove(indexOf(name));
  leaveVisibleFolder(dirname(folder));
}
