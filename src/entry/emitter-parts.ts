import type { SessionState } from "../core/state/session-state.ts";
import type { Dialect, DialectInput, ForeignFile } from "../dialects/dialect.ts";
import type { Problem } from "../error.ts";
import type { Files } from "../platform/system.ts";

export type WriteResult =
  /** `isRespected`: other programs use the same kind of lock (F16). */
  { kind: "written"; isRespected: boolean } | { kind: "held"; lock: string };

export interface EmitterParts {
  dialects: readonly Dialect[];
  given: DialectInput;
  project: Pick<Files, "read" | "stat" | "requireWritable">;
  /**
   * Writes files while holding all their locks; writes nothing if another program holds one. `isUrgent`: waits as long as
   * other programs do; otherwise the next update tries again.
   */
  write: (files: readonly ForeignFile[], isUrgent: boolean) => Promise<WriteResult>;
  /** The newest commit with a sound version of a file. */
  lastGood: (path: string, isSound: (text: string) => boolean) => Promise<string | undefined>;
  /** The paths that a commit contains. */
  trackedIn: (commit: string, paths: readonly string[]) => Promise<readonly string[]>;
  /** The paths that running tasks have changed so far, by task id. */
  changedPaths: (state: SessionState) => Promise<ReadonlyMap<string, readonly string[]>>;
  /** The problems of all files of the dialects, including those that are not written. */
  findProblems: () => Promise<readonly Problem[]>;
}
