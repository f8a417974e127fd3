import type { Repository } from "../../git/repository/repository.ts";

const laidOut = new WeakMap<Repository, string>();

/** From now on the checkout holds this tree. */
export const noteTree = (repo: Repository, tree: string): void => void laidOut.set(repo, tree);

/** The tree that was laid out in a checkout last. */
export const treeIn = (repo: Repository): string | undefined => laidOut.get(repo);
