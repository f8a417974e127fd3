import { constants, writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { FileError, toFileError } from "./file-error.ts";
import { type Location, lstatRegular, requireRegular } from "./location.ts";
import type { AppendFile } from "./system.ts";

/** Opens a file that only grows, making it when it is absent. A link of any kind is refused: we would write elsewhere. */
export async function openAppend(location: Location): Promise<AppendFile> {
  lstatRegular(location);
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(
    location.absolute,
    O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK,
  );
  try {
    await requireOnlyName(location, file);
  } catch (error) {
    await file.close();
    throw error;
  }
  return createAppendFile(location.path, file);
}

async function requireOnlyName(location: Location, file: FileHandle): Promise<void> {
  const stats = await file.stat();
  requireRegular(location, stats);
  if (stats.nlink <= 1) return;
  throw new FileError(location.path, "hard-linked", {
    message: `${location.path} has ${stats.nlink} names (hard links); appending would change another file.`,
    remedy: `Replace ${location.absolute} by a copy of itself.`,
  });
}

/** After a failed write or sync every later call fails the same way: what reached the disk is unknown (F05). */
function createAppendFile(path: string, file: FileHandle): AppendFile {
  let failure: unknown;
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
    flush: () => guarded(() => file.datasync()),
    [Symbol.asyncDispose]: () => file.close(),
  };
}

/** Synchronous, so that calls reach the file in the order they are made. */
function writeOnce(path: string, file: FileHandle, bytes: Buffer): void {
  const written = writeSync(file.fd, bytes);
  if (written === bytes.length) return;
  throw new FileError(path, "io", {
    message: `${path} took only ${written} of ${bytes.length} bytes.`,
    remedy: "Free some space on this disk, then run again with `--resume`.",
  });
}
