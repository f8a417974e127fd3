import { isUtf8 } from "node:buffer";
import { closeSync, constants, openSync } from "node:fs";
import { posix } from "node:path";
import { toFileError } from "../file-error.ts";
import { locate, lstatRegular } from "../fs/location.ts";
import { writeInPlace } from "../fs/write-in-place.ts";
import type { Files } from "../system.ts";
import { createTurn } from "./in-turn.ts";
import type { AcquiredLock } from "./lock-result.ts";
import { takeLocks } from "./take-locks.ts";

/**
 * The wanted content of a file below the root of `Files`. `text` is the whole content, undefined to remove the file;
 * `merge` gets the current content, and answers undefined to keep it or null to remove it.
 */
export type LockedUpdate = {
  path: string;
  /** Lock files in the order to take them, which must be the same everywhere. They stay. */
  locks: readonly string[];
  /** The file is changed in place, not replaced. */
  inPlace?: true;
} & (
  | { text: string | undefined }
  | { merge: (text: string | undefined) => string | undefined | null }
);

export type LockedResult =
  /** Callers warn the user when `mechanism` is not flock: other programs do not respect it (F16). */
  | { kind: "updated"; written: string[]; mechanism: AcquiredLock["mechanism"] }
  /** Another process kept holding `lock`; nothing was written. */
  | { kind: "held"; lock: string };

/** As long as users of Python's filelock wait. */
const longestWaitMs = 10_000;

/**
 * Changes files that other programs change too: takes all locks, reads, writes, and releases them. Locks are flock(2), as
 * in Python's filelock and flock(1). One call at a time; nothing is flushed, and unchanged text is not written.
 */
export function updateLocked(
  files: Files,
  updates: readonly LockedUpdate[],
): Promise<LockedResult> {
  return inTurn(() => update(files, updates));
}
const inTurn = createTurn();

async function update(files: Files, updates: readonly LockedUpdate[]): Promise<LockedResult> {
  const locks = [...new Set(updates.flatMap((each) => each.locks))];
  if (locks.length === 0) return { ...(await writeAll(files, updates)), mechanism: "flock" };
  for (const lock of locks) await prepareLock(files, lock);
  const paths = locks.map((lock) => locate(files.root, lock).absolute);
  const taken = await takeLocks(paths, longestWaitMs);
  if (taken.kind === "held") return { kind: "held", lock: locks[taken.index] ?? "" };
  try {
    return { ...(await writeAll(files, updates)), mechanism: taken.mechanism };
  } finally {
    await taken.release();
  }
}

/** Creates the lock file or throws why it cannot be used, so that taking it can fail only for lack of flock. */
async function prepareLock(files: Files, lock: string): Promise<void> {
  const { O_RDWR, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const location = locate(files.root, lock);
  if (lstatRegular(location) !== undefined) return;
  await files.makeFolder(posix.dirname(lock));
  try {
    const flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
    closeSync(openSync(location.absolute, flags, 0o644));
  } catch (error) {
    throw toFileError(error, lock, "written");
  }
}

async function writeAll(files: Files, updates: readonly LockedUpdate[]) {
  const written: string[] = [];
  for (const each of updates) if (await writeOne(files, each)) written.push(each.path);
  return { kind: "updated", written } as const;
}

async function writeOne(files: Files, wanted: LockedUpdate): Promise<boolean> {
  const { path, inPlace, locks } = wanted;
  const bytes = await files.read(path);
  // Binary content cannot be merged with text without losing bytes.
  if (bytes && "merge" in wanted && !isUtf8(bytes)) return false;
  const before = textOf(bytes, wanted);
  const after = textAfter(wanted, before);
  if (after === before) return false;
  if (after === undefined) await files.remove(path);
  // Another process that waits for a file that is its own lock has it open already.
  else if (inPlace && (before !== undefined || locks.includes(path)))
    writeInPlace(locate(files.root, path), { before: before ?? "", text: after });
  else await files.write(path, after);
  return true;
}

function textAfter(wanted: LockedUpdate, before: string | undefined): string | undefined {
  if (!("merge" in wanted)) return wanted.text;
  const answer = wanted.merge(before);
  return answer === undefined ? before : (answer ?? undefined);
}

/** A file that is its own lock exists as soon as it has been taken. */
function textOf(bytes: Buffer | undefined, { path, locks }: LockedUpdate): string | undefined {
  const text = bytes?.toString();
  return text === "" && locks.includes(path) ? undefined : text;
}
