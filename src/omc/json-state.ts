import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { hasCode } from "../platform/file-error.ts";
import { hasFolders, locate, lstatRegular, requireRegular } from "../platform/fs/location.ts";
import { createTemporaryName } from "../platform/fs/temporary-file.ts";
import { parseJson } from "../sources/parse-json.ts";

const maxBytes = 4 * 1024 * 1024;

/**
 * Reads a small JSON file synchronously, for programs that use the library. Paths are below a root, and no link below it
 * is followed (T38, T39). Throws on every failure; an absent file is undefined.
 */
export function readJsonState(root: string, path: string): unknown {
  const location = locate(root, path);
  if (!hasFolders(location)) return undefined;
  const bytes = readRegular(location.absolute, (stats) => requireRegular(location, stats));
  if (!bytes) return undefined;
  const parsed = parseJson({ bytes, file: path, maxBytes });
  if (parsed.kind === "parsed") return parsed.value;
  throw new Error(
    parsed.problems.map(({ message, line }) => `line ${line}: ${message}`).join("; "),
  );
}

function readRegular(path: string, check: (stats: Stats) => void): Buffer | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let file: number;
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (hasCode(error) && error.code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const stats = fstatSync(file);
    check(stats);
    if (stats.size > maxBytes)
      throw new Error(`it has ${stats.size} bytes; at most ${maxBytes} are read`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Replaces the file atomically. */
export function writeJsonState(root: string, path: string, value: object): void {
  const location = locate(root, path);
  for (const folder of location.folders) {
    hasFolders(location);
    makeFolder(folder);
  }
  lstatRegular(location);
  const temporary = `${dirname(location.absolute)}/${createTemporaryName()}`;
  try {
    writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { flag: "wx" });
    renameSync(temporary, location.absolute);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Node's own recursive `mkdirSync` never ends where a folder cannot be made although the one above exists, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!hasCode(error) || error.code !== "EEXIST") throw error;
  }
}

/** Removes the file if it exists. */
export function removeJsonState(root: string, path: string): void {
  const location = locate(root, path);
  if (lstatRegular(location)) rmSync(location.absolute);
}
