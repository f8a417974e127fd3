import { isUtf8 } from "node:buffer";
import { spawn } from "node:child_process";
import { closeSync, fstatSync, lstatSync, openSync } from "node:fs";
import { posix } from "node:path";
import { clock } from "../clock.ts";
import { toFileError } from "../file-error.ts";
import { writeInPlace } from "../fs/append-file.ts";
import { locate, lstatRegular } from "../fs/location.ts";
import type { Files } from "../system.ts";
import { type AcquiredLock, acquireExclusively } from "./exclusive-lock.ts";
import { createTurn } from "./in-turn.ts";
import { type LockProgram, lockFlags, startLockProgram } from "./lock-program.ts";

/** Locks that were taken together; `index` is that of the one another process holds. */
export type TakenLocks =
  | { kind: "taken"; mechanism: AcquiredLock["mechanism"]; release: () => Promise<unknown> }
  | { kind: "held"; index: number };

/**
 * Takes all lock files in order or none, waiting for each as Python's filelock does. Uses flock(2) by the fastest available
 * program; without one, or on a file system without flock, exclusive files are the fallback (F15, F16).
 */
export async function takeLocks(paths: readonly string[], waitMs: number): Promise<TakenLocks> {
  return (
    (await takeByProgram(paths, waitMs)) ??
    (await retried(waitMs, () => takeByFlock(paths))) ??
    (await retried(waitMs, () => takeExclusively(paths)))
  );
}

let program: LockProgram | undefined;
/** A program that could not be started is not tried again. */
let isMissing = false;

async function takeByProgram(
  paths: readonly string[],
  waitMs: number,
): Promise<TakenLocks | undefined> {
  const answer = await askProgram(paths, waitMs);
  if (answer?.kind === "held") return { kind: "held", index: answer.index };
  if (answer?.kind !== "taken") return undefined;
  const release = async () => program?.ask("free");
  return { kind: "taken", mechanism: "flock", release };
}

/** A lock program that was killed is started again, once. */
async function askProgram(paths: readonly string[], waitMs: number) {
  if (isMissing) return undefined;
  const kept = await program?.ask({ waitMs, paths });
  if (kept) return kept;
  program = startLockProgram();
  const answer = await program.ask({ waitMs, paths });
  isMissing = answer === undefined;
  return answer;
}

type Attempt = TakenLocks | undefined;

/** Holds nothing between two attempts, so that processes cannot wait for each other in a circle. */
async function retried<Taken extends Attempt>(
  waitMs: number,
  attempt: () => Promise<Taken>,
): Promise<Taken> {
  const end = clock.monotonic() + waitMs;
  while (true) {
    const taken = await attempt();
    if (taken?.kind !== "held" || clock.monotonic() >= end) return taken;
    await clock.sleep(5 + Math.random() * 10);
  }
}

/** The locks belong to this process's open files, which the helper shares briefly; see `acquireLock`. */
async function takeByFlock(paths: readonly string[]): Promise<Attempt> {
  const files = paths.map((path) => openSync(path, lockFlags, 0o644));
  const release = async () => files.forEach((file) => void closeSync(file));
  const answer = await flockAll(files);
  const isStillNamed = answer === "taken" && paths.every((path, at) => isNamed(path, files[at]));
  if (isStillNamed) return { kind: "taken", mechanism: "flock", release };
  await release();
  if (answer === "unavailable") return undefined;
  return { kind: "held", index: answer === "taken" ? 0 : answer };
}

function isNamed(path: string, file: number | undefined): boolean {
  const [ours, named] = [fstatSync(file ?? -1), lstatSync(path, { throwIfNoEntry: false })];
  return ours.ino === named?.ino && ours.dev === named.dev;
}

const firstFile = 3;
/** flock(1) exits with 1 when a lock is held; any other failure means that it cannot be used here. */
const script = 'for file; do flock -n "$file" || { [ $? = 1 ] && exit "$file"; exit 1; }; done';

async function flockAll(files: readonly number[]): Promise<"taken" | "unavailable" | number> {
  const numbers = files.map((_, at) => String(firstFile + at));
  const args = ["-c", script, "sh", ...numbers];
  const helper = spawn("sh", args, { stdio: ["ignore", "ignore", "ignore", ...files] });
  const code = await new Promise<number | null>((resolve) => {
    helper.once("error", () => resolve(null));
    helper.once("exit", resolve);
  });
  if (code === 0) return "taken";
  return code !== null && code >= firstFile ? code - firstFile : "unavailable";
}

async function takeExclusively(paths: readonly string[]): Promise<TakenLocks> {
  const locks: AcquiredLock[] = [];
  const release = async () => {
    for (const lock of locks) await lock[Symbol.asyncDispose]();
  };
  const claim = { session_id: "update", started_at: new Date(clock.now()).toISOString() };
  for (const [index, path] of paths.entries()) {
    const lock = await acquireExclusively(`${path}.pid`, claim);
    if (lock.kind === "acquired") locks.push(lock);
    else {
      await release();
      return { kind: "held", index };
    }
  }
  return { kind: "taken", mechanism: "exclusive-file", release };
}

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

type LockedResult =
  /** Callers warn the user when `mechanism` is not flock: other programs do not respect it (F16). */
  | { kind: "updated"; written: string[]; mechanism: AcquiredLock["mechanism"] }
  /** Another process kept holding `lock`; nothing was written. */
  | { kind: "held"; lock: string };

/** As long as users of Python's filelock wait. */
const longestWaitMs = 10_000;

/**
 * Changes files that other programs change too: takes all locks, reads, writes, and releases them. Locks are flock(2), as
 * in Python's filelock and flock(1). One call at a time; nothing is flushed, and unchanged text is not written. An error
 * that `merge` throws leaves the files from there on as they are.
 */
export function updateLocked(
  files: Files,
  updates: readonly LockedUpdate[],
  waitMs = longestWaitMs,
): Promise<LockedResult> {
  return inTurn(() => update(files, updates, waitMs));
}
const inTurn = createTurn();

async function update(
  files: Files,
  updates: readonly LockedUpdate[],
  waitMs: number,
): Promise<LockedResult> {
  const locks = [...new Set(updates.flatMap((each) => each.locks))];
  if (locks.length === 0) return { ...(await writeAll(files, updates)), mechanism: "flock" };
  for (const lock of locks) await prepareLock(files, lock);
  const paths = locks.map((lock) => locate(files.root, lock).absolute);
  const taken = await takeLocks(paths, waitMs).catch((error: unknown) => {
    const at = paths.findIndex((path) => error instanceof Error && error.message.includes(path));
    throw toFileError(error, locks[Math.max(at, 0)] ?? "", "written");
  });
  if (taken.kind === "held") return { kind: "held", lock: locks[taken.index] ?? "" };
  try {
    return { ...(await writeAll(files, updates)), mechanism: taken.mechanism };
  } finally {
    await taken.release();
  }
}

/** Creates the lock file or throws why it cannot be used, so that taking it can fail only for lack of flock. */
async function prepareLock(files: Files, lock: string): Promise<void> {
  const location = locate(files.root, lock);
  if (lstatRegular(location) !== undefined) return;
  await files.makeFolder(posix.dirname(lock));
  try {
    closeSync(openSync(location.absolute, lockFlags, 0o644));
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
