import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { FileError, toFileError } from "../file-error.ts";
import { type Location, lstatRegular, requireRegular } from "./location.ts";

/**
 * Changes a file that others keep open, without replacing it. The common beginning of both texts is not written, and the
 * file is truncated last, so a kill loses nothing of a growing file. When it shrinks, empty lines replace the old end
 * until the file is truncated, so a kill in between leaves no mixture of two texts. `before` is the current content.
 */
export function writeInPlace(
  location: Location,
  { before, text }: { before: string; text: string },
): void {
  const { O_RDWR, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    lstatRegular(location);
    const flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
    const file = openSync(location.absolute, flags, 0o644);
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
  const written = writeSync(file, rest, 0, rest.length, start);
  if (written !== rest.length) {
    throw new FileError(path, "io", {
      message: `${path} took only ${written} of ${rest.length} bytes.`,
      remedy: "Free some space on this disk, then run again with `--resume`.",
    });
  }
  ftruncateSync(file, after.length);
}

function commonLength(some: Buffer, others: Buffer): number {
  const most = Math.min(some.length, others.length);
  let length = 0;
  while (length < most && some[length] === others[length]) length++;
  return length;
}
