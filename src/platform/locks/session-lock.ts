import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { type FileHandle, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { hasCode, toFileError } from "../file-error.ts";
import { makeFolderTree } from "../fs/folder-tree.ts";
import {
  describeOwner,
  isOwnerAlive,
  type LockClaim,
  type LockOwner,
  parseOwner,
} from "../process/lock-owner.ts";
import { type AcquiredLock, acquireExclusively, type LockResult } from "./exclusive-lock.ts";

/**
 * Takes a lock on a separate file (never a data file), or answers its holder; never waits. flock(2) excludes every program
 * that uses it and ends with the process, however that ends (F12-F15). Without flock, an exclusive file with process id and
 * start time is the fallback (F16).
 */
export async function acquireLock(path: string, claim: LockClaim): Promise<LockResult> {
  const file = await openLockFile(path);
  const answer = await flock(file);
  if (answer === "locked") return await hold(file, claim);
  await file.close();
  if (answer === "unavailable") return await acquireExclusively(`${path}.pid`, claim);
  return { kind: "held", owner: await readLockOwner(path) };
}

/** Close-on-exec like all files: only the helper inherits it (F14). */
async function openLockFile(path: string): Promise<FileHandle> {
  const { O_RDWR, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    await makeFolderTree(dirname(path));
    return await open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch (error) {
    throw toFileError(error, path, "written");
  }
}

/** The living holder of a lock; undefined when it is free or the holder is unknown. */
export async function readLockOwner(path: string): Promise<LockOwner | undefined> {
  for (const candidate of [path, `${path}.pid`]) {
    const owner = parseOwner(await readOrEmpty(candidate));
    if (owner !== undefined && isOwnerAlive(owner)) return owner;
  }
  return undefined;
}

/** The helper shares this process's open file as descriptor 3; the lock stays when the helper has ended. */
async function flock(file: FileHandle): Promise<"locked" | "held" | "unavailable"> {
  const helper = spawn("flock", ["-n", "3"], { stdio: ["ignore", "ignore", "ignore", file.fd] });
  const exitCode = await new Promise<number | null>((resolve) => {
    helper.once("error", () => resolve(null));
    helper.once("exit", resolve);
  });
  if (exitCode === 0) return "locked";
  return exitCode === 1 ? "held" : "unavailable";
}

async function hold(file: FileHandle, claim: LockClaim): Promise<AcquiredLock> {
  await file.truncate(0);
  await file.write(`${JSON.stringify(describeOwner(claim))}\n`, 0);
  return {
    kind: "acquired",
    mechanism: "flock",
    async [Symbol.asyncDispose]() {
      // The file stays: after removing it, two sessions could lock two files of the same name.
      await file.truncate(0);
      await file.close();
    },
  };
}

async function readOrEmpty(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error)) return "";
    throw error;
  }
}
