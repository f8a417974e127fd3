import { closeSync, constants, fdatasync, fstatSync, openSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import { FileError, toFileError } from "../file-error.ts";
import type { AppendFile } from "../system.ts";
import { type Location, lstatRegular, requireRegular } from "./location.ts";

/** Opens a file for appending, and creates it if it is absent. Links of any kind are refused: they lead elsewhere. */
export function openAppend(location: Location): AppendFile {
  lstatRegular(location);
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = openSync(location.absolute, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK);
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
    append: (text) => guarded(() => writeOnce(path, file, Buffer.from(text))),
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

/** Synchronous, so that writes happen in the order of the calls. */
function writeOnce(path: string, file: number, bytes: Buffer): void {
  const written = writeSync(file, bytes);
  if (written === bytes.length) return;
  throw new FileError(path, "io", {
    message: `${path} took only ${written} of ${bytes.length} bytes.`,
    remedy: "Free some space on this disk, then run again with `--resume`.",
  });
}
