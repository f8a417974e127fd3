import type { System } from "../system/system.ts";

/** A path that differs between the private index and the work tree; relative to the project root. */
export type Change = {
  path: string;
  kind: "added" | "modified" | "deleted" | "type-changed";
};

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
}
