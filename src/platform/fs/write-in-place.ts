import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { FileError, toFileError } from "../file-error.ts";
import { type Location, lstatRegular, requireRegular } from "./location.ts";

/**
 * Changes a file that others keep open: the same file, cut only after it is written, and what both texts begin with is not
 * touched, so that a kill loses nothing of a file that grows. In one that shrinks, empty lines stand in for the old end
 * until it is cut, so that a kill in between leaves no mixture of two texts. `before` is what it holds.
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
