import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { type Location, lstatRegular } from "./location.ts";

/** Throws what a write to the file would throw for lack of rights or on a read-only file system. Writes nothing. */
export function requireWritable(location: Location): void {
  if (lstatRegular(location) !== undefined) accessSync(location.absolute, constants.W_OK);
  let { folder } = location;
  while (!existsSync(folder)) folder = dirname(folder);
  accessSync(folder, constants.W_OK | constants.X_OK);
}
