import type { SessionState, TaskState } from "../core/state/session-state.ts";
import type { Finding } from "../schema/base/finding.ts";
import type { Phase } from "../schema/base/phase.ts";
import type { Config } from "../schema/config/config.ts";
import type { SpliceView } from "../views/view.ts";

/**
 * The state files of another tool: rendered for a session, read, checked, cancelled and imported. All functions are pure;
 * `src/entry` reads and writes files. Each dialect is one folder and imports no other dialect (specs 000 to 003).
 */
export interface Dialect {
  readonly name: DialectName;
  /** Whether a path below the project root is one of its files. */
  readonly owns: (path: string) => boolean;
  /** The folders below the project root that hold its files; "" is the root itself, without subfolders. */
  readonly folders: readonly string[];
  /** The files for a session, in the order to write them. The same state gives the same files. */
  readonly render: (state: SessionState, input: DialectInput) => readonly ForeignFile[];
  /** All findings in one of its files. A file with errors must not be used (specs 003, "corrupted state"). */
  readonly check: (path: string, text: string) => readonly Finding[];
  /** Contradictions between valid files: each finding with the file to report it for. */
  readonly checkTree?: (tree: ForeignTree) => readonly (Finding & { file: string })[];
  /** The runs of its tool, newest first, for `ralph status` and `ralph cancel`. */
  readonly read: (tree: ForeignTree, now: string) => readonly ForeignRun[];
  /** The files that end one of its runs; empty if none is active. */
  readonly cancel: (tree: ForeignTree, request: CancelRequest) => readonly ForeignFile[];
  /** Where a file is kept before a session first writes it; undefined for content that nothing is lost with. */
  readonly keepAside?: (
    file: { path: string; text: string },
    state: SessionState,
  ) => string | undefined;
  /** The files that settle ralph's own sessions that ended without a last write, such as killed ones. */
  readonly settle?: (tree: ForeignTree, request: SettleRequest) => readonly ForeignFile[];
  /** Its tasks, for `ralph migrate`: a list that `checkForeignList` accepts. Undefined: it has no tasks. */
  readonly tasks: (tree: ForeignTree) => ForeignTasks | undefined;
  /** The files to write in its own folders at an import, once (specs 000, "one-way"). Existing files stay. */
  readonly onImport?: (tree: ForeignTree, now: string) => readonly ForeignFile[];
  /** Its files of the repository that ralph commits with each pass, such as the status of its tasks. */
  readonly documents?: {
    /** Every path that may change in the session, below the project root. */
    paths: (state: Pick<SessionState, "session">) => readonly string[];
    /** Those that change with the newest pass. */
    render: (state: SessionState) => readonly SpliceView[];
    /** Their text between two passes, in the work tree alone: about running tasks, and about those that ended without a pass. */
    live: (state: SessionState) => readonly SpliceView[];
    /** Whether a path may be one of them. */
    owns: (path: string) => boolean;
    /** Whether `after` is what `live` makes of `before`, and of which tasks. */
    isLive: (before: string, after: string) => LiveStatus | undefined;
  };
  /** Paths of files that a prompt quotes for a task, whether or not they exist. Read even where it is not emitted. */
  readonly references?: (
    state: Pick<SessionState, "session">,
    task: Pick<TaskState, "task">,
  ) => readonly string[];
  /** Whether its files name the paths that running tasks have changed. */
  readonly showsChangedPaths?: true;
  /** A file that cancels the session while it exists, below the project root. */
  readonly abortFile?: string;
  /** The last line that `ralph run` prints. */
  readonly completionLine?: (state: SessionState) => string;
}

export type LiveStatus = "running" | "ended";

export type DialectName = Config["compat"]["emit"][number];

/** Files of a dialect by their paths below the project root. */
export type ForeignTree = ReadonlyMap<string, string>;

/** The facts that a dialect may show beside the state. */
export interface DialectInput {
  config: Config;
  /** The project root, absolute. */
  root: string;
  /** The process that writes. */
  process: { pid: number; startTicks: number | undefined; platform: string };
  /** The paths that running tasks have changed so far, by task id. */
  changedPaths?: ReadonlyMap<string, readonly string[]>;
  /** Whether another process still runs. If absent, every other process counts as running. */
  isRunning?: (other: { pid: number; startTicks: number | undefined }) => boolean;
}

/**
 * A file to write. `text` is its content, `undefined` removes it; `merge` computes the content from the current one under
 * the locks, and runs again only when `ours` has changed.
 */
export type ForeignFile = {
  path: string;
  /** Lock files below the project root that other programs take too, in locking order (design 9.6). */
  locks: readonly string[];
  /** Written in place, for programs that keep the file open or lock it; else replaced as a whole. */
  inPlace?: true;
} & ({ text: string | undefined } | { ours: string; merge: MergeText });

/**
 * Returning undefined leaves the file as it is, null removes it. `before` is the `ours` of the last write of this session.
 * Throws a `RalphError` if the session cannot go on beside the other program.
 */
export type MergeText = (text: string | undefined, before?: string) => string | undefined | null;

/** A run of another tool. */
export interface ForeignRun {
  /** Its own id, if it has one. */
  id: string | undefined;
  /** The file that describes it. */
  path: string;
  /** Whether its files say that it runs and are recent enough. */
  isActive: boolean;
  /** The phase by its name in specs 000. */
  phase: Phase;
  /** One line for people: "iteration 3 of 50". */
  detail: string;
}

export interface CancelRequest {
  /** The run to end; undefined: the current one. */
  id: string | undefined;
  /** ISO 8601, UTC. */
  now: string;
}

export interface SettleRequest {
  /** ISO 8601, UTC. */
  now: string;
  /** The session that is about to be resumed: its files are withdrawn, and written again from its start. */
  resumed: string | undefined;
  /** The tasks of that session that have passed. */
  passed?: ReadonlySet<string>;
}

export interface ForeignTasks {
  path: string;
  list: unknown;
}
