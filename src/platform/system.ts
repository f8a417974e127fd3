/** Everything outside the program, as one record that is passed in: tests replace members, never modules. */
export interface System {
  readonly files: (root: string) => Files;
  readonly ask: Ask;
  readonly supervise: Supervise;
  readonly clock: Clock;
  readonly randomHex: (bytes: number) => string;
  readonly env: Environment;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Clock {
  /** Wall clock, milliseconds since 1970. May jump; the journal clamps it. */
  now(): number;
  /** Milliseconds that only ever grow; for durations. */
  monotonic(): number;
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Files below one root. Paths are relative to it and use `/`. No link is ever followed and only regular
 * files are read, so nobody can point us outside or make us hang (T38, T39).
 */
export interface Files {
  readonly root: string;
  /** The bytes, or undefined when there is no such file. Anything but a regular file within the cap throws. */
  read(path: string, options?: { maxBytes?: number }): Promise<Buffer | undefined>;
  /** Whole file at once: a temporary file, then a rename. `durable` also syncs file and folder. */
  write(path: string, content: string | Buffer, options?: WriteOptions): Promise<void>;
  /** Makes files written before, and their folder entries, survive a power cut. */
  sync(paths: readonly string[]): Promise<void>;
  openAppend(path: string): Promise<AppendFile>;
  /**
   * Replaces a file by a copy of an absolute one, with its time, as git replaces its index: through `path.lock`,
   * which one program at a time can make. False while somebody else holds it.
   */
  copyLocked(path: string, source: string): Promise<boolean>;
  /** A file, or a folder with all it holds; links themselves, never what they point to. Absent is fine. */
  remove(path: string): Promise<void>;
  /** What stands at the path itself; a link is described, not followed. Undefined when there is nothing. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Names in a folder, sorted; empty when there is none. */
  list(path: string): Promise<string[]>;
  makeFolder(path: string): Promise<void>;
}

/** Files that are only looked at: those of a folder, or of a commit. */
export type ReadFiles = Pick<Files, "root" | "read" | "stat" | "list">;

export type WriteOptions = {
  /** Survives a power cut. */
  durable?: boolean;
  /**
   * Dates the file a second back. git reads a file again at every look while it seems no older than the index
   * that lists it, and one that is written over in the same second could go unnoticed.
   */
  backdated?: boolean;
};

/** `changedMs` is the change time (ctime), which a program cannot set back; milliseconds since 1970. */
export type FileStat = {
  kind: "file" | "folder" | "link" | "other";
  bytes: number;
  changedMs: number;
};

export interface AppendFile extends AsyncDisposable {
  /** One write call; whole lines never interleave (F11). */
  append(text: string | Buffer): Promise<void>;
  /** fdatasync: what was appended survives a power cut. */
  flush(): Promise<void>;
}

/** Runs a trusted program (git, flock) to its end. A non-zero exit is a result, not an error. */
export type Ask = (command: {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Environment;
  input?: string | Buffer;
  maxBytes?: number;
}) => Promise<{ exitCode: number; stdout: Buffer; stderr: string }>;

/** Runs an untrusted program as a supervised process tree; nothing of it survives the call (F26). */
export type Supervise = (command: SupervisedCommand) => Promise<SupervisedResult>;

export interface SupervisedCommand {
  file: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment of the child: nothing is inherited. */
  env: Environment;
  input?: string;
  /** Wall clock and silence limits, milliseconds. */
  timeoutMs: number;
  idleMs?: number;
  /** Head and tail that are kept of stdout and of stderr, bytes each. */
  keepBytes?: number;
  /** Sees every chunk of stdout as it comes, for streaming readers and live display; the bytes do not outlive the call. */
  onOutput?: (chunk: Buffer) => void;
  signal?: AbortSignal;
}

export type SupervisedEnd =
  | { kind: "exited"; code: number }
  | { kind: "killed"; signal: string }
  | { kind: "timed-out" }
  | { kind: "idle" }
  | { kind: "cancelled" }
  | { kind: "not-started"; code: string; message: string };

export interface SupervisedResult {
  end: SupervisedEnd;
  stdout: string;
  stderr: string;
  /** Bytes seen in all, also those that were not kept. */
  stdoutBytes: number;
  ms: number;
  /** Descendants that were still alive at the end and were ended by us. */
  lingering: number;
}
