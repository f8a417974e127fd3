import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
} from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { FileError, toFileError } from "../file-error.ts";
import type { FileStat, Files } from "../system.ts";
import { openAppend } from "./append-file.ts";
import { makeFolderTree, removeTree } from "./folder-tree.ts";
import {
  hasFolders,
  type Location,
  locate,
  lstatFolder,
  lstatRegular,
  requireRegular,
  requireWritable,
  safely,
} from "./location.ts";
import { syncFiles } from "./sync-files.ts";
import { copyLocked, writeWhole } from "./write-whole.ts";

const defaultMaxBytes = 64 * 1024 * 1024;

/** The real files below `root`; links above the root are allowed. See `Files` for its guarantees. */
export const createFiles = (root: string): Files => ({
  root,
  read: (path, options) =>
    reading(path, () => readRegular(locate(root, path), options?.maxBytes ?? defaultMaxBytes)),
  write: (path, content, options) =>
    writing(path, async () => writeWhole(await prepareFolders(root, path), content, options)),
  sync: (paths) =>
    writing(paths.join(", "), () =>
      syncFiles(paths.map((path) => requireFolders(locate(root, path)))),
    ),
  openAppend: (path) => writing(path, async () => openAppend(await prepareFolders(root, path))),
  copyLocked: (path, source) =>
    writing(path, () => copyLocked(requireFolders(locate(root, path)), source)),
  requireWritable: (path) => writing(path, async () => requireWritable(locate(root, path))),
  remove: (path) => writing(path, () => removeOne(root, path)),
  stat: (path) => reading(path, async () => describe(locate(root, path))),
  list: (path) => reading(path, () => listFolder(locateWithin(root, path))),
  makeFolder: (path) => writing(path, () => makeFolders(locateWithin(root, path))),
});

/** Adds file, cause and remedy to an error. */
const explained =
  (verb: "read" | "written") =>
  async <Result>(path: string, act: () => Promise<Result>): Promise<Result> => {
    try {
      return await act();
    } catch (error) {
      throw toFileError(error, path, verb);
    }
  };
const reading = explained("read");
const writing = explained("written");

async function readRegular(location: Location, maxBytes: number): Promise<Buffer | undefined> {
  if (lstatRegular(location) === undefined) return undefined;
  // The file may have been replaced since the check above. Synchronous, because another thread takes ten times as long.
  const file = openSync(location.absolute, constants.O_RDONLY | safely);
  try {
    const stats = fstatSync(file);
    requireRegular(location, stats);
    if (stats.size > maxBytes) throw tooLarge(location.path, stats.size, maxBytes);
    return readBytes(file, stats.size);
  } finally {
    closeSync(file);
  }
}

/** Reads only the measured size, so that a growing file cannot exceed the limit. */
function readBytes(file: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(file, buffer, filled, size - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

const tooLarge = (path: string, size: number, maxBytes: number): FileError =>
  new FileError(path, "too-large", {
    message: `${path} has ${size} bytes; at most ${maxBytes} are read.`,
    remedy: `Make ${path} smaller.`,
  });

async function prepareFolders(root: string, path: string): Promise<Location> {
  const location = locate(root, path);
  await makeFolders(location);
  return location;
}

async function makeFolders(location: Location): Promise<void> {
  if (hasFolders(location)) return;
  for (const folder of location.folders) {
    if (lstatFolder(location.path, folder) === undefined) await makeFolderTree(folder);
  }
}

/** A location inside a folder, so that the folder itself is checked too. */
const locateWithin = (root: string, folder: string): Location => ({
  ...locate(root, join(folder, "*")),
  path: folder,
});

async function removeOne(root: string, path: string): Promise<void> {
  const location = locate(root, path);
  if (location.absolute === join(root)) {
    throw new FileError(path, "outside", {
      message: `${root} itself is not removed.`,
      remedy: "Name a file or folder inside it.",
    });
  }
  if (hasFolders(location)) await removeTree(location.absolute);
}

async function listFolder(inside: Location): Promise<string[]> {
  // The root may be missing too; as the only folder it may also be a link.
  if (!hasFolders(inside) || !existsSync(inside.folder)) return [];
  return (await readdir(inside.folder)).sort();
}

function requireFolders(location: Location): Location {
  hasFolders(location);
  return location;
}

function describe(location: Location): FileStat | undefined {
  if (!hasFolders(location)) return undefined;
  const stats = lstatSync(location.absolute, { throwIfNoEntry: false });
  return stats && { kind: nameKind(stats), bytes: stats.size, changedMs: stats.ctimeMs };
}

function nameKind(stats: Stats): FileStat["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "other";
}
