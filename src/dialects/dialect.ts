import type { SessionState, TaskState } from "../core/state/session-state.ts";
import type { Finding } from "../schema/base/finding.ts";
import type { Phase } from "../schema/base/phase.ts";
import type { Config } from "../schema/config/config.ts";
import type { SpliceView } from "../views/view.ts";

/**
 * The state files of another tool: written as a run goes on, looked at, checked, cancelled and taken over. All pure;
 * `src/entry` reads and writes. One folder each; nothing of one dialect is known to another (specs 000 to 003).
 */
export interface Dialect {
  readonly name: DialectName;
  /** Whether a path below the project root is one of its state files. */
  readonly owns: (path: string) => boolean;
  /** Folders below the project root in which its files lie; "" is the root itself, without what lies below. */
  readonly folders: readonly string[];
  /** What its readers are shown of a run. Same run, same files; in the order in which they are to be written. */
  readonly render: (state: SessionState, given: DialectInput) => readonly ForeignFile[];
  /** Everything wrong with one of its files. Errors: nobody may go on with it (specs 003, "corrupted state"). */
  readonly check: (path: string, text: string) => readonly Finding[];
  /** What is wrong among files that are sound by themselves: each finding with the file it is told at. */
  readonly checkTree?: (tree: ForeignTree) => readonly (Finding & { file: string })[];
  /** How its own runs stand, newest first: what `ralph status` and `ralph cancel` know of them. */
  readonly read: (tree: ForeignTree, now: string) => readonly ForeignRun[];
  /** What is written when somebody ends one of its runs; empty where nothing is active. */
  readonly cancel: (tree: ForeignTree, asked: CancelRequest) => readonly ForeignFile[];
  /** Its tasks, for `ralph migrate`: a list as `checkForeignList` takes it. Undefined: it holds none. */
  readonly tasks: (tree: ForeignTree) => ForeignTasks | undefined;
  /**
   * What is written in its own folders when it is taken over, once: older files in their present form (specs 000,
   * "one-way"), and copies of what a run would write over. Everything that is there stays.
   */
  readonly onImport?: (tree: ForeignTree, now: string) => readonly ForeignFile[];
  /** Its files of the repository that ralph commits with each pass, such as the status of its tasks. */
  readonly documents?: {
    /** Every path that may change in the session, below the project root. */
    paths: (state: Pick<SessionState, "session">) => readonly string[];
    /** Those that change with the newest pass. */
    render: (state: SessionState) => readonly SpliceView[];
  };
  /** Paths of files that a prompt quotes for a task, whether or not they exist. Read even where it is not emitted. */
  readonly references?: (
    state: Pick<SessionState, "session">,
    task: Pick<TaskState, "task">,
  ) => readonly string[];
  /** A file that cancels the session while it exists, below the project root. */
  readonly abortFile?: string;
  /** The last line that `ralph run` prints. */
  readonly completionLine?: (state: SessionState) => string;
}

export type DialectName = Config["compat"]["emit"][number];

/** Files of a dialect by their paths below the project root. */
export type ForeignTree = ReadonlyMap<string, string>;

/** What a dialect may show beside the run. */
export interface DialectInput {
  config: Config;
  /** The project root, absolute; and who writes. */
  root: string;
  process: { pid: number; startTicks: number | undefined; platform: string };
  /** Whether another process still runs. Without it nobody can tell, and every other one counts as alive. */
  isRunning?: (other: { pid: number; startTicks: number | undefined }) => boolean;
}

/**
 * A file as it is to be. `text` is the whole of it, `undefined` that it is gone; `merge` is given what stands there, under
 * the locks, and is asked again only when `ours` has changed.
 */
export type ForeignFile = {
  path: string;
  /** Lock files below the project root that other programs take too, in the order to take them (design 9.6). */
  locks: readonly string[];
  /** Written in place, as programs expect that keep it open or lock it itself; else replaced as a whole. */
  inPlace?: true;
} & ({ text: string | undefined } | { ours: string; merge: MergeText });

/** Answering undefined leaves what is there, null removes it. */
export type MergeText = (text: string | undefined) => string | undefined | null;

/** A run of another tool. */
export interface ForeignRun {
  /** Its own id, where it has one. */
  id: string | undefined;
  /** Where it is told. */
  path: string;
  /** It works, as far as its files tell: not ended, and not so old that nobody can be behind it any more. */
  isActive: boolean;
  /** The phase in the words of specs 000. */
  phase: Phase;
  /** One line for people: "iteration 3 of 50". */
  detail: string;
}

export interface CancelRequest {
  /** Only this one of its runs; undefined: whichever is current. */
  id: string | undefined;
  /** ISO 8601, UTC. */
  now: string;
}

export interface ForeignTasks {
  /** The file that holds the list, or the folder. */
  path: string;
  list: unknown;
}
