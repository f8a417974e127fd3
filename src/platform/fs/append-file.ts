import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import { FileError, toFileError } from "../file-error.ts";
import type { AppendFile } from "../system.ts";
import { type Location, lstatRegular, requireRegular, safely } from "./location.ts";

/** Opens a file for appending, and creates it if it is absent. Links of any kind are refused: they lead elsewhere. */
export function openAppend(location: Location): AppendFile {
  lstatRegular(location);
  const { O_WRONLY, O_CREAT, O_APPEND } = constants;
  const file = openSync(location.absolute, O_WRONLY | O_CREAT | O_APPEND | safely);
  try {
    requireOnlyName(location, file);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return createAppendFile(location.path, file);
}

function requireOnlyName(location: Location, file: number): void {
  const stats = fstatSync(file);
  requireRegular(location, stats);
  if (stats.nlink <= 1) return;
  throw new FileError(location.path, "hard-linked", {
    message: `${location.path} has ${stats.nlink} names (hard links); appending would change another file.`,
    remedy: `Replace ${location.absolute} by a copy of itself.`,
  });
}

const sync = promisify(fdatasync);

/** After a failed write or sync every later call fails the same way: the content of the disk is unknown (F05). */
function createAppendFile(path: string, file: number): AppendFile {
  let failure: unknown;
  let isOpen = true;
  const guarded = async (act: () => void | Promise<void>) => {
    if (failure !== undefined) throw failure;
    try {
      await act();
    } catch (error) {
      failure = toFileError(error, path, "written");
      throw failure;
    }
  };
  return {
    append: (text) => guarded(() => writeOnce(path, file, { bytes: Buffer.from(text) })),
    flush: () => guarded(() => sync(file)),
    [Symbol.asyncDispose]: async () => {
      // Its descriptor may belong to another file from now on.
      if (isOpen) closeSync(file);
      isOpen = false;
      failure ??= new FileError(path, "io", {
        message: `${path} is closed.`,
        remedy: "Run again with `--resume`.",
      });
    },
  };
}

/** Synchronous, so that writes happen in the order of the calls. Without `at`, to the end. */
function writeOnce(path: string, file: number, { bytes, at }: { bytes: Buffer; at?: number }) {
  const written = writeSync(file, bytes, 0, bytes.length, at);
  if (written === bytes.length) return;
  throw new FileError(path, "io", {
    message: `${path} took only ${written} of ${bytes.length} bytes.`,
    remedy: "Free some space on this disk, then run again with `--resume`.",
  });
}

/**
 * Changes a file that others keep open, without replacing it. The common beginning of both texts is not written, and the
 * file is truncated last, so a kill loses nothing of a growing file. When it shrinks, empty lines replace the old end
 * until the file is truncated, so a kill in between leaves no mixture of two texts. `before` is the current content.
 */
export function writeInPlace(
  location: Location,
  { before, text }: { before: string; text: string },
): void {
  try {
    lstatRegular(location);
    const file = openSync(location.absolute, constants.O_RDWR | constants.O_CREAT | safely, 0o644);
    try {
      requireRegular(location, fstatSync(file));
      change(location.path, file, { before: Buffer.from(before), after: Buffer.from(text) });
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw toFileError(error, location.path, "written");
  }
}

function change(path: string, file: number, { before, after }: { before: Buffer; after: Buffer }) {
  const start = commonLength(before, after);
  const left = Math.max(0, before.length - after.length);
  const rest = Buffer.concat([after.subarray(start), Buffer.alloc(left, "\n")]);
  writeOnce(path, file, { bytes: rest, at: start });
  ftruncateSync(file, after.length);
}

function commonLength(some: Buffer, others: Buffer): number {
  const most = Math.min(some.length, others.length);
  let length = 0;
  while (length < most && some[length] === others[length]) length++;
  return length;
}
