/** Everything outside the program, as one record that is passed in: tests replace its members, not modules. */
export interface System {
  readonly files: (root: string) => Files;
  readonly ask: Ask;
  readonly supervise: Supervise;
  readonly startLong: StartLong;
  readonly clock: Clock;
  readonly randomHex: (bytes: number) => string;
  readonly env: Environment;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Clock {
  /** Wall clock, milliseconds since 1970. May jump; the journal clamps it. */
  now: () => number;
  /** Milliseconds that never decrease; for durations. */
  monotonic: () => number;
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Files below one root, by relative paths. Links are not followed and only regular files are read (T38, T39). */
export interface Files {
  readonly root: string;
  /** The bytes, or undefined when there is no such file. Throws for anything but a regular file within the limit. */
  read(path: string, options?: { maxBytes?: number }): Promise<Buffer | undefined>;
  /** Whole file at once: a temporary file, then a rename. `durable` also syncs file and folder. */
  write(path: string, content: string | Buffer, options?: WriteOptions): Promise<void>;
  /** Makes files written before, and their folder entries, survive a power failure. */
  sync(paths: readonly string[]): Promise<void>;
  openAppend(path: string): Promise<AppendFile>;
  /** Replaces a file by a copy, with its time, through `path.lock` as git does. False while another process holds it. */
  copyLocked(path: string, source: string): Promise<boolean>;
  /** Throws where `write` would for lack of rights, or on a read-only file system. */
  requireWritable(path: string): Promise<void>;
  /** Removes a file, or a folder with its content, and links without their targets. The path may be absent. */
  remove(path: string): Promise<void>;
  /** The status of the path itself; a link is described, not followed. Undefined when it is absent. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Names in a folder, sorted; empty when there is no folder. */
  list(path: string): Promise<string[]>;
  makeFolder(path: string): Promise<void>;
}

/** Read-only files: those of a folder, or of a commit. */
export type ReadFiles = Pick<Files, "root" | "read" | "stat" | "list">;

export type WriteOptions = {
  /** Survives a power failure. */
  durable?: boolean;
  /** Dates the file a second back: git could miss one that is overwritten in the second of its index. */
  backdated?: boolean;
  /** Receives the bytes of the file that the write has replaced, whatever was written into it until that moment. */
  replaced?: (before: Buffer) => void;
};

/** `changedMs` is the change time (ctime), which programs cannot set; milliseconds since 1970. */
export type FileStat = {
  kind: "file" | "folder" | "link" | "other";
  bytes: number;
  changedMs: number;
};

export interface AppendFile extends AsyncDisposable {
  /** One write call; whole lines never interleave (F11). */
  append(text: string | Buffer): Promise<void>;
  /** fdatasync: appended data survives a power failure. */
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

/** Runs an untrusted program as a supervised process tree; none of its processes survive the call (F26). */
export type Supervise = (command: SupervisedCommand) => Promise<SupervisedResult>;

export interface SupervisedCommand {
  file: string;
  args: readonly string[];
  cwd: string;
  /** The complete environment of the child, which inherits nothing. */
  env: Environment;
  input?: string;
  /** Wall clock and silence limits, milliseconds. */
  timeoutMs: number;
  idleMs?: number;
  /** The limits of all its processes together. */
  limits?: CallLimits | undefined;
  /** Bytes of head and tail kept each, of stdout and stderr each. */
  keepBytes?: number;
  /** Receives every chunk of stdout, for streaming readers and live display; the bytes are valid only during the call. */
  onOutput?: (chunk: Buffer) => void;
  signal?: AbortSignal;
}

/** The limits of all processes of a supervised program together (T45). */
export interface CallLimits {
  /** Processes and threads. */
  readonly processes: number;
  readonly memoryBytes?: number | undefined;
  /** How much the free space of the file system of `folder` may shrink while the program runs. */
  readonly disk: { readonly folder: string; readonly bytes: number };
}

export type SupervisedEnd =
  | { kind: "exited"; code: number }
  | { kind: "killed"; signal: string }
  | { kind: "timed-out" }
  | { kind: "idle" }
  /** It used more than its limits; the message is the end of a sentence about it. */
  | { kind: "over-limit"; message: string }
  | { kind: "cancelled" }
  | { kind: "not-started"; code: string; message: string };

export interface SupervisedResult {
  end: SupervisedEnd;
  stdout: string;
  stderr: string;
  /** Total bytes, including those that were not kept. */
  stdoutBytes: number;
  ms: number;
  /** Descendants that were still alive at the end and were killed. */
  lingering: number;
}

/** Starts an untrusted program that runs until `stop`: a service, or a program that answers requests. */
export type StartLong = (
  command: LongCommand,
) => Promise<LongProcess | Extract<SupervisedEnd, { kind: "not-started" }>>;

export type LongCommand = Pick<SupervisedCommand, "file" | "args" | "cwd" | "env" | "onOutput"> & {
  /** Bytes of head and tail kept of its output, stdout and stderr in the order they came. */
  keepBytes: number;
};

export interface LongProcess {
  readonly kind: "started";
  /** Process id on this machine; in the sandbox that of the sandbox itself. */
  readonly pid: number;
  /** Resolves when the program itself ends; processes it started may live on until `stop`. */
  readonly exited: Promise<SupervisedEnd>;
  /** The kept part of the output so far, and its full size in bytes. */
  readonly output: () => { text: string; bytes: number };
  readonly write: (text: string) => void;
  /** TCP ports on which a process of its tree listens; undefined where that is unknown. */
  readonly ports: () => number[] | undefined;
  /** Whether any process of its tree is left. */
  readonly isAlive: () => boolean;
  /** Ends the whole tree. Answers how many of its processes are left, which should be none; a second call does nothing. */
  readonly stop: () => Promise<number>;
}
