import type { Environment, System } from "../../platform/system.ts";

/** A path that differs between the private index and the work tree; relative to the project root. */
export type Change = {
  path: string;
  kind: "added" | "modified" | "deleted" | "type-changed";
  /** Set when the path is now a link. */
  isLink?: true;
};

/** The position of the journal's head: the session's branch and its commit. */
export type BranchPosition = { branch: string; commit: string };

/**
 * The user's repository through ralph's private git directory: own HEAD, index, config and info; shared objects and refs
 * (design 5). All git commands use it, so nothing an agent writes into `.git` can run or redirect them (T41). Plain
 * data; the functions of this folder take it as their first argument.
 */
export interface Repository {
  readonly system: Pick<System, "ask" | "files" | "clock">;
  /** The project root, at or below the work tree's root, with all links resolved. */
  readonly root: string;
  readonly worktree: string;
  /** Path of the project root below the work tree with a trailing `/`, or "". */
  readonly prefix: string;
  /** The user's git directory (of this worktree) and the common one. */
  readonly gitDir: string;
  readonly commonDir: string;
  /** Ralph's private git directory, outside the work tree. */
  readonly privateDir: string;
  /** The complete environment of all git commands. */
  readonly env: Environment;
  /** One flush of an object or ref makes everything written before it durable (`journalOf`): see `flush-objects.ts`. */
  readonly flushesAtOnce?: boolean;
  /** Some attribute names a filter, so changed paths must be asked for theirs. */
  readonly usesFilters: boolean;
  /** The session directory, from the work tree's root with a trailing `/`, if it is inside (`hideSessionDir`). */
  readonly sessionDir?: string;
}
