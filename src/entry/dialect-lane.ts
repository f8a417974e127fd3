import type { SessionState } from "../core/state/session-state.ts";
import type { Dialect, DialectInput, ForeignFile } from "../dialects/dialect.ts";
import { type Problem, RalphError } from "../error.ts";
import type { Files } from "../platform/system.ts";
import { brokenFilesError, findBrokenFile } from "./broken-files.ts";

export type WriteResult =
  /** `isRespected`: other programs use the same kind of lock (F16). */
  { kind: "written"; isRespected: boolean } | { kind: "held"; lock: string };

/** Everything that writing to the files of other tools needs. */
export interface EmitterParts {
  dialects: readonly Dialect[];
  given: DialectInput;
  project: Pick<Files, "read" | "stat" | "requireWritable">;
  /**
   * Writes files while holding all their locks; writes nothing if another program holds one. `isUrgent`: waits as long as
   * other programs do; otherwise the next update tries again.
   */
  write: (files: readonly ForeignFile[], isUrgent: boolean) => Promise<WriteResult>;
  lastGood: (path: string, isSound: (text: string) => boolean) => Promise<string | undefined>;
  trackedIn: (commit: string, paths: readonly string[]) => Promise<readonly string[]>;
  changedPaths: (state: SessionState) => Promise<ReadonlyMap<string, readonly string[]>>;
  /** The problems of all files of the dialects, including those that are not written. */
  findProblems: () => Promise<readonly Problem[]>;
}

/** The writing of one dialect's files, independent of the others. */
export interface Lane {
  hasWritten: () => boolean;
  needsLocks: (input: LaneInput) => boolean;
  /** Writes the changes since the last successful write. Returns remarks; throws where the session cannot go on. */
  write: (input: LaneInput) => Promise<string[]>;
}

export interface LaneInput {
  state: SessionState;
  given: DialectInput;
  isFirst: boolean;
  /** A task starts, which other programs may take until its files say so. */
  isStart: boolean;
}

/**
 * An obstacle at the first write is an error, before anything is spent. A later one, such as a lock that is not released,
 * costs no task its proof: it becomes a remark, and the next update tries again.
 */
export function createLane(parts: EmitterParts, dialect: Dialect): Lane {
  /** The written content by path; undefined for a removed file. */
  const written = new Map<string, string | undefined>();
  const broken = new Set<string>();
  /** A lock was not released for as long as other programs wait; until a write succeeds, none waits so long again. */
  let isStuck = false;
  const changedFiles = ({ state, given }: LaneInput) =>
    dialect
      .render(state, given)
      .filter(({ path }) => !broken.has(path))
      .filter((file) => !written.has(file.path) || written.get(file.path) !== contentOf(file));
  const writeFiles = async (
    { kept, wanted }: { kept: readonly ForeignFile[]; wanted: readonly ForeignFile[] },
    { isFirst, isStart, state }: LaneInput,
  ) => {
    const isUrgent = isFirst || state.end !== undefined || (isStart && !isStuck);
    const files = wanted.map((file) => withBefore(file, written.get(file.path)));
    const result = await attempt(parts, [...kept, ...files], { isFirst, isUrgent });
    isStuck = result.kind === "held" && (isStuck || isUrgent);
    if (result.kind === "written")
      for (const file of files) written.set(file.path, contentOf(file));
    return result;
  };
  return {
    hasWritten: () => written.size > 0,
    needsLocks: (input) => changedFiles(input).some(({ locks }) => locks.length > 0),
    write: async (input) => {
      const files = changedFiles(input);
      const fresh = files.filter(({ path }) => !written.has(path));
      const found = input.isFirst ? [] : await brokenAmong(parts, dialect, fresh);
      for (const { path } of found) broken.add(path);
      const isSound = ({ path }: ForeignFile) => !broken.has(path);
      const { state } = input;
      const kept = await keepAside(parts, dialect, { files: fresh.filter(isSound), state });
      const wanted = files.filter(isSound);
      const result = await writeFiles({ kept: kept.files, wanted }, input);
      if (found.length > 0) throw brokenFilesError(found);
      return [...kept.remarks, ...remarksOn(result, dialect, input)];
    },
  };
}

const contentOf = (file: ForeignFile) => ("text" in file ? file.text : file.ours);

/** The last content this session wrote distinguishes a foreign change from its own. */
function withBefore(file: ForeignFile, before: string | undefined): ForeignFile {
  return "text" in file ? file : { ...file, merge: (text) => file.merge(text, before) };
}

async function brokenAmong(parts: EmitterParts, dialect: Dialect, files: readonly ForeignFile[]) {
  const found = await Promise.all(files.map(({ path }) => findBrokenFile(parts, dialect, path)));
  return found.filter((each) => each !== undefined);
}

/** Copies of foreign content that is about to be replaced. */
async function keepAside(
  { project }: Pick<EmitterParts, "project">,
  dialect: Dialect,
  { files, state }: { files: readonly ForeignFile[]; state: SessionState },
) {
  const copies: ForeignFile[] = [];
  const remarks: string[] = [];
  if (!dialect.keepAside) return { files: copies, remarks };
  for (const { path } of files) {
    const text = (await project.read(path))?.toString();
    const copy = text === undefined ? undefined : dialect.keepAside({ path, text }, state);
    if (text === undefined || copy === undefined) continue;
    copies.push({ path: copy, locks: [], text });
    remarks.push(`The earlier ${path} is kept as ${copy}.`);
  }
  return { files: copies, remarks };
}

type Attempt = WriteResult | { kind: "failed"; message: string };

async function attempt(
  parts: EmitterParts,
  files: readonly ForeignFile[],
  { isFirst, isUrgent }: { isFirst: boolean; isUrgent: boolean },
): Promise<Attempt> {
  try {
    if (files.length === 0) return { kind: "written", isRespected: true };
    return await parts.write(files, isUrgent);
  } catch (error) {
    const isObstacle = error instanceof RalphError && error.reason !== "claim";
    if (isFirst || !isObstacle) throw error;
    return { kind: "failed", message: error.message };
  }
}

function remarksOn(result: Attempt, { name }: Dialect, { state }: LaneInput): string[] {
  if (result.kind === "written") return result.isRespected ? [] : [ownLocks];
  const obstacle =
    result.kind === "held" ? `Another program holds ${result.lock}.` : result.message;
  const remark = state.end
    ? `The files of ${name} do not show the end of this session. ${obstacle} The next \`ralph run\` or \`ralph cancel\` settles them.`
    : `The files of ${name} are out of date; ralph tries again at each step. ${obstacle}`;
  return [remark];
}

const ownLocks =
  "This file system or machine has no flock: ralph writes files for other tools under its own locks, which other programs do not respect.";
