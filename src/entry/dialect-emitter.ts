import type { SessionState } from "../core/state/session-state.ts";
import { renderProblem } from "../error.ts";
import {
  type BrokenFile,
  brokenFilesError,
  findBrokenFile,
  trackedFilesError,
} from "./broken-files.ts";
import { createLane, type EmitterParts, type Lane, type LaneInput } from "./dialect-lane.ts";

/** Keeps the state files of other tools up to date with a session (`compat.emit`). */
export interface Emitter {
  /** Throws where an existing file stops a session in this state from writing. */
  check: (state: SessionState) => Promise<void>;
  update: (state: SessionState) => Promise<void>;
  /** The problems since the last call. */
  remarks: () => readonly string[];
}

/**
 * Writes the files that changed since the last update while the session continues; only the next update waits for it, but
 * a task's start is written before its agent begins. Each dialect is written for itself: a held lock or a lost folder of
 * one stops no other, and is tried again at every update, the last one included. Before the first write to a file its
 * content must be sound: a broken file may be another tool's work, so the session ends (exit 2, design 9.3).
 */
export function createEmitter(parts: EmitterParts): Emitter {
  const lanes = parts.dialects.map((dialect) => createLane(parts, dialect));
  const remarks: string[] = [];
  let isNew = true;
  let running = "";
  let latest: Promise<void> = Promise.resolve();
  const emit = async (state: SessionState, isStart: boolean) => {
    const given = { ...parts.given, changedPaths: await parts.changedPaths(state) };
    const isFirst = isNew;
    isNew = false;
    if (isFirst) {
      const paths = await requireSoundFiles(parts, { state, given });
      remarks.push(...(await warnAboutOtherFiles(parts, paths)));
    }
    // A session that was refused leaves no files, but ends those it has begun.
    const open = isFirst ? lanes : lanes.filter((lane) => lane.hasWritten());
    const written = await writeAll(open, { state, given, isFirst, isStart });
    remarks.push(...written.remarks);
    if (written.error) throw written.error;
  };
  /** Rethrows the error of the last update, once. */
  const settled = async () => {
    const before = latest;
    latest = Promise.resolve();
    await before;
  };
  const update = async (state: SessionState) => {
    await settled();
    const now = runningTasks(state);
    const isStart = now !== running;
    const mustWait = isNew || state.end !== undefined || isStart;
    running = now;
    latest = emit(state, isStart);
    // There is always a next update, the one at the end.
    latest.catch(() => undefined);
    if (mustWait) await settled();
  };
  const check = async (state: SessionState) => {
    await requireSoundFiles(parts, { state, given: parts.given });
  };
  return { check, update, remarks: () => remarks.splice(0) };
}

const runningTasks = ({ tasks }: SessionState) =>
  tasks.flatMap(({ task, state }) => (state === "running" ? [task.id] : [])).join(" ");

async function writeAll(lanes: readonly Lane[], input: LaneInput) {
  const remarks: string[] = [];
  let error: unknown;
  // A dialect that waits for a lock holds up only those after it.
  const inOrder = lanes.toSorted(
    (a, b) => Number(a.needsLocks(input)) - Number(b.needsLocks(input)),
  );
  for (const lane of inOrder) {
    try {
      remarks.push(...(await lane.write(input)));
    } catch (thrown) {
      error ??= thrown;
      if (input.isFirst) break;
    }
  }
  return { remarks, error };
}

/**
 * Reports all broken files at once, and rejects files git tracks, since each write would look like an agent's change, and
 * files that cannot be written: a session that is refused for one tool has written for no other. Returns the paths of
 * the session's files.
 */
async function requireSoundFiles(
  parts: EmitterParts,
  { state, given }: Pick<LaneInput, "state" | "given">,
): Promise<string[]> {
  const broken: BrokenFile[] = [];
  const paths: string[] = [];
  const locks = new Set<string>();
  for (const dialect of parts.dialects) {
    for (const { path, locks: needed } of dialect.render(state, given)) {
      paths.push(path);
      for (const lock of needed) locks.add(lock);
      const found = await findBrokenFile(parts, dialect, path);
      if (found) broken.push(found);
    }
  }
  if (broken.length > 0) throw brokenFilesError(broken);
  const tracked = await parts.trackedIn(state.head, paths);
  if (tracked.length > 0) throw trackedFilesError(tracked);
  for (const path of [...paths, ...locks]) await parts.project.requireWritable(path);
  return paths;
}

/** One line for each broken file that this session does not write. */
async function warnAboutOtherFiles(
  { findProblems }: EmitterParts,
  ours: readonly string[],
): Promise<string[]> {
  const beside = (await findProblems()).filter(({ file }) => !ours.includes(file));
  return [...Map.groupBy(beside, ({ file }) => file).values()].map(([first, ...more]) => {
    const count = more.length > 0 ? ` (and ${more.length} more)` : "";
    return `A file of another tool cannot be used; ralph leaves it unchanged: ${first ? renderProblem(first) : ""}${count}`;
  });
}
