import type { SessionState } from "../core/state/session-state.ts";
import type { Dialect, DialectInput, ForeignFile } from "../dialects/dialect.ts";
import { type Problem, RalphError, renderProblem } from "../error.ts";
import type { ReadFiles } from "../platform/system.ts";
import {
  type BrokenFile,
  brokenFilesError,
  findBrokenFile,
  trackedFilesError,
} from "./broken-files.ts";

/** Keeps the state files of other tools up to date with a session (`compat.emit`). */
export interface Emitter {
  update: (state: SessionState) => Promise<void>;
  /** The problems since the last call. */
  remarks: () => readonly string[];
}

export type WriteResult =
  /** `isRespected`: other programs use the same kind of lock (F16). */
  { kind: "written"; isRespected: boolean } | { kind: "held"; lock: string };

export interface EmitterParts {
  dialects: readonly Dialect[];
  given: DialectInput;
  project: Pick<ReadFiles, "read" | "stat">;
  /** Writes files while holding all their locks; writes nothing if another program holds one. */
  write: (files: readonly ForeignFile[]) => Promise<WriteResult>;
  /** The newest commit with a sound version of a file. */
  lastGood: (path: string, isSound: (text: string) => boolean) => Promise<string | undefined>;
  /** The paths that a commit contains. */
  trackedIn: (commit: string, paths: readonly string[]) => Promise<readonly string[]>;
  /** The problems of all files of the dialects, including those that are not written. */
  findProblems: () => Promise<readonly Problem[]>;
}

/**
 * Writes the files that changed since the last update while the session continues; only the next update waits for it.
 * Before the first write to a file its content must be sound: a broken file may be another tool's work, so the session ends
 * (exit 2, design 9.3). Later obstacles, such as a lock that is never released, cost no task its proof: they become a
 * remark, and no more files are written.
 */
export function createEmitter(parts: EmitterParts): Emitter {
  const written: Written = new Map();
  const remarks: string[] = [];
  let isOver = false;
  let latest: Promise<void> = Promise.resolve();
  const emit = async (state: SessionState) => {
    if (isOver) return;
    // An error ends the session, whose end is then not written.
    isOver = true;
    const isFirst = written.size === 0;
    const changed = changedFiles(parts, { state, written });
    const files = changed.map(({ file }) => file);
    await requireNoBrokenFile(parts, changed, written);
    if (isFirst) remarks.push(...(await checkFirstWrite(parts, { state, files })));
    const result = await write(parts, files, { isFirst });
    remarks.push(...remarksOn(result));
    if (result.kind !== "written") return;
    for (const file of files) written.set(file.path, contentOf(file));
    isOver = false;
  };
  const update = async (state: SessionState) => {
    await latest;
    const mustWait = written.size === 0 || state.end !== undefined;
    latest = emit(state);
    // The next update rethrows the error; there is always one, at the end.
    latest.catch(() => undefined);
    if (mustWait) await latest;
  };
  return { update, remarks: () => remarks.splice(0) };
}

type WriteAttempt = WriteResult | { kind: "failed"; message: string };

/** An obstacle at the first write is an error, before anything is spent; a later one only stops the writing. */
async function write(
  parts: EmitterParts,
  files: readonly ForeignFile[],
  { isFirst }: { isFirst: boolean },
): Promise<WriteAttempt> {
  try {
    return files.length > 0 ? await parts.write(files) : nothingWritten;
  } catch (error) {
    if (isFirst || !(error instanceof RalphError)) throw error;
    return { kind: "failed", message: error.message };
  }
}

const nothingWritten = { kind: "written", isRespected: true } as const;

function remarksOn(result: WriteAttempt): string[] {
  if (result.kind === "held") return [heldRemark(result.lock)];
  if (result.kind === "failed") {
    return [`ralph no longer writes files for other tools. ${result.message}`];
  }
  return result.isRespected ? [] : [ownLocks];
}

const ownLocks =
  "This file system or machine has no flock: ralph writes files for other tools under its own locks, which other programs do not respect.";

const heldRemark = (lock: string) =>
  `Another program has held ${lock} for ten seconds; ralph no longer writes files for other tools.`;

/** The written content by path; undefined for a removed file. */
type Written = Map<string, string | undefined>;

type Changed = { dialect: Dialect; file: ForeignFile };

function changedFiles(
  { dialects, given }: EmitterParts,
  { state, written }: { state: SessionState; written: Written },
): Changed[] {
  return dialects.flatMap((dialect) =>
    dialect
      .render(state, given)
      .filter((file) => hasChanged(written, file))
      .map((file) => ({ dialect, file })),
  );
}

const contentOf = (file: ForeignFile) => ("text" in file ? file.text : file.ours);

const hasChanged = (written: Written, file: ForeignFile) =>
  !written.has(file.path) || written.get(file.path) !== contentOf(file);

/** Reports all broken files at once. */
async function requireNoBrokenFile(
  parts: EmitterParts,
  changed: readonly Changed[],
  written: Written,
): Promise<void> {
  const broken: BrokenFile[] = [];
  for (const { dialect, file } of changed.filter((each) => !written.has(each.file.path))) {
    const found = await findBrokenFile(parts, dialect, file.path);
    if (found) broken.push(found);
  }
  if (broken.length > 0) throw brokenFilesError(broken);
}

/** Rejects files git tracks, since each write would look like an agent's change. Returns warnings about other files. */
async function checkFirstWrite(
  parts: EmitterParts,
  { state, files }: { state: SessionState; files: readonly ForeignFile[] },
): Promise<string[]> {
  const paths = await parts.trackedIn(
    state.head,
    files.map(({ path }) => path),
  );
  if (paths.length > 0) throw trackedFilesError(paths);
  return await warnAboutOtherFiles(parts, files);
}

/** One line for each broken file that this session does not write. */
async function warnAboutOtherFiles(
  { findProblems: lookAround }: EmitterParts,
  files: readonly ForeignFile[],
): Promise<string[]> {
  const ours = new Set(files.map(({ path }) => path));
  const beside = (await lookAround()).filter(({ file }) => !ours.has(file));
  return [...Map.groupBy(beside, ({ file }) => file).values()].map(([first, ...more]) => {
    const count = more.length > 0 ? ` (and ${more.length} more)` : "";
    return `A file of another tool cannot be used; ralph leaves it unchanged: ${first ? renderProblem(first) : ""}${count}`;
  });
}
