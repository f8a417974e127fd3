import { accessSync, constants, existsSync, lstatSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { FileError } from "../file-error.ts";

/** Flags of every `open`: no link is followed, and a pipe cannot block. */
export const safely = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A path that cannot leave its root by name. `folders` are those between root and file, outermost first. */
export interface Location {
  readonly path: string;
  readonly absolute: string;
  readonly folder: string;
  readonly folders: readonly string[];
}

/** Refuses absolute paths, `..` and NUL (T40); drops `.` and doubled slashes. Pure. */
export function locate(root: string, path: string): Location {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (path.startsWith("/") || path.includes("\0") || parts.includes("..")) {
    throw new FileError(path, "outside", {
      message: `${JSON.stringify(path)} is not a path inside ${root}.`,
      remedy: "Use a relative path without `..`.",
    });
  }
  const folders = parts.slice(0, -1).map((_, index) => join(root, ...parts.slice(0, index + 1)));
  return { path, absolute: join(root, ...parts), folder: folders.at(-1) ?? root, folders };
}

/** Whether all folders above exist. A link among them is refused, even one that stays inside (T38). */
export const hasFolders = (location: Location): boolean =>
  location.folders.every((folder) => lstatFolder(location.path, folder) !== undefined);

/** The folder's own status, or undefined when there is no folder. */
export function lstatFolder(path: string, folder: string): Stats | undefined {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) throw linkError(path, folder);
  return stats?.isDirectory() ? stats : undefined;
}

/** Status of the file itself, or undefined when it is absent; refused unless it is a regular file (T39). */
export function lstatRegular(location: Location): Stats | undefined {
  if (!hasFolders(location)) return undefined;
  const stats = lstatSync(location.absolute, { throwIfNoEntry: false });
  if (stats !== undefined) requireRegular(location, stats);
  return stats;
}

/** Refuses everything except a regular file, and names its kind. */
export function requireRegular({ path, absolute }: Location, stats: Stats): void {
  if (stats.isFile()) return;
  if (stats.isSymbolicLink()) throw linkError(path, absolute);
  throw new FileError(path, "not-regular", {
    message: `${path} is a ${nameKind(stats)}, not a regular file.`,
    remedy: `Remove ${absolute}, or put a regular file in its place.`,
  });
}

const linkError = (path: string, link: string): FileError =>
  new FileError(path, "link", {
    message: `${path} is behind the symbolic link ${link}, and links are not followed.`,
    remedy: `Replace ${link} by its target.`,
  });

function nameKind(stats: Stats): string {
  if (stats.isDirectory()) return "folder";
  if (stats.isFIFO()) return "named pipe";
  return stats.isSocket() ? "socket" : "device";
}

/** Throws what a write to the file would throw for lack of rights or on a read-only file system. Writes nothing. */
export function requireWritable(location: Location): void {
  if (lstatRegular(location) !== undefined) accessSync(location.absolute, constants.W_OK);
  let { folder } = location;
  while (!existsSync(folder)) folder = dirname(folder);
  accessSync(folder, constants.W_OK | constants.X_OK);
}
