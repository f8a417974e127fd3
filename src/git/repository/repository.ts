import type { Environment, System } from "../../platform/system.ts";

/** A path that differs between the private index and the work tree; relative to the project root. */
export type Change = {
  path: string;
  kind: "added" | "modified" | "deleted" | "type-changed";
  /** Set when what stands there now is a link. */
  isLink?: true;
};

/** Where the journal's head stands: the branch we work on and the commit it must be at. */
export type BranchPosition = { branch: string; commit: string };

/**
 * The user's repository seen through our private git directory: own HEAD, index, config and info; objects and
 * refs shared (design 5). Every git command of ours goes through it, so nothing an agent writes into `.git`
 * can run or redirect us (T41). Plain data; the functions of this folder take it as their first argument.
 */
export interface Repository {
  readonly system: Pick<System, "ask" | "files" | "clock">;
  /** The project root (may lie below the work tree's root), with all links resolved. */
  readonly root: string;
  readonly worktree: string;
  /** Path of the project root below the work tree with a trailing `/`, or "". */
  readonly prefix: string;
  /** The user's git directory (of this worktree) and the common one. */
  readonly gitDir: string;
  readonly commonDir: string;
  /** Our private git directory, outside the work tree. */
  readonly privateDir: string;
  /** The whole environment of every git command of ours. */
  readonly env: Environment;
  /** One flush of an object or ref keeps all that was written there before (`journalOf`): see `flush-objects.ts`. */
  readonly flushesAtOnce?: boolean;
  /** Some attribute names a filter, so changed paths must be asked for theirs. */
  readonly usesFilters: boolean;
  /** The folder the session is shown in, from the work tree's root with a trailing `/`, when it lies there (`hideSessionDir`). */
  readonly sessionDir?: string;
}
