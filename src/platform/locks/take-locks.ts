import { spawn } from "node:child_process";
import { closeSync, constants, fstatSync, lstatSync, openSync } from "node:fs";
import { clock } from "../clock.ts";
import { acquireExclusively } from "./exclusive-lock.ts";
import { type LockProgram, startLockProgram } from "./lock-program.ts";
import type { AcquiredLock } from "./lock-result.ts";

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
  const { O_RDWR, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
  const files = paths.map((path) => openSync(path, flags, 0o644));
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
