import type { SessionState } from "../core/state/session-state.ts";
import type { Dialect, DialectInput, ForeignFile } from "../dialects/dialect.ts";
import { type Problem, RalphError, renderProblem } from "../error.ts";
import type { ReadFiles } from "../platform/system.ts";
import { type BrokenFile, brokenFilesError, findBrokenFile, trackedFilesError } from "./broken-files.ts";

/** Keeps the state files of other tools in step with a session (`compat.emit`). */
export interface Emitter {
  update: (state: SessionState) => Promise<void>;
  /** What could not be written since this was asked last, and why. */
  remarks: () => readonly string[];
}

export type WriteResult =
  /** `isRespected`: other programs take the same kind of lock (F16). */
  { kind: "written"; isRespected: boolean } | { kind: "held"; lock: string };

export interface EmitterParts {
  dialects: readonly Dialect[];
  given: DialectInput;
  project: Pick<ReadFiles, "read" | "stat">;
  /** Writes files under the locks of all of them; told is what stood in the way, and then nothing was written. */
  write: (files: readonly ForeignFile[]) => Promise<WriteResult>;
  /** The last commit in which a file could be used: told of one that cannot. */
  lastGood: (path: string, isSound: (text: string) => boolean) => Promise<string | undefined>;
  /** Those of the paths that a commit holds. */
  trackedIn: (commit: string, paths: readonly string[]) => Promise<readonly string[]>;
  /** What is wrong with any file of the dialects, also those that are not written. */
  findProblems: () => Promise<readonly Problem[]>;
}

/**
 * What has changed since the last update is written, beside what the session does next: nobody waits for it but the next
 * update. Before a file is written for the first time, what stands there must be sound: a broken one may be another tool's
 * work, so the session ends instead (exit 2, design 9.3). A lock that nobody lets go of, or a folder somebody replaces
 * later, costs no task its proof: it is told, and nothing more is written.
 */
export function createEmitter(parts: EmitterParts): Emitter {
  const written: Written = new Map();
  const remarks: string[] = [];
  let isOver = false;
  let latest: Promise<void> = Promise.resolve();
  const emit = async (state: SessionState) => {
    if (isOver) return;
    // Whatever is thrown ends the session; its end is not shown then.
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
    const mustBeSeen = written.size === 0 || state.end !== undefined;
    latest = emit(state);
    // What went wrong is told by the next update, which always comes: the end is one.
    latest.catch(() => undefined);
    if (mustBeSeen) await latest;
  };
  return { update, remarks: () => remarks.splice(0) };
}

type WriteAttempt = WriteResult | { kind: "failed"; message: string };

/** What stands in the way at first is told before anything is spent; what somebody puts there later costs no task. */
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
    return [`Files for other tools are not written any more. ${result.message}`];
  }
  return result.isRespected ? [] : [ownLocks];
}

const ownLocks =
  "This file system or machine has no flock: files for other tools are written under locks of ralph's own, which other programs do not respect.";

const heldRemark = (lock: string) =>
  `Another program has held ${lock} for ten seconds; files for other tools are not written any more.`;

/** What was written, by path; undefined for a file that was removed. */
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

/** Everything that is broken is told at once. */
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

/** What git tracks would be seen as an agent's work, in every iteration again. Answers what is odd beside it. */
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

/** Files nobody writes over, and that nobody can go on with either: one line for each. */
async function warnAboutOtherFiles(
  { findProblems: lookAround }: EmitterParts,
  files: readonly ForeignFile[],
): Promise<string[]> {
  const ours = new Set(files.map(({ path }) => path));
  const beside = (await lookAround()).filter(({ file }) => !ours.has(file));
  return [...Map.groupBy(beside, ({ file }) => file).values()].map(([first, ...more]) => {
    const count = more.length > 0 ? ` (and ${more.length} more)` : "";
    return `A file of another tool cannot be used, and is left as it is: ${first ? renderProblem(first) : ""}${count}`;
  });
}
