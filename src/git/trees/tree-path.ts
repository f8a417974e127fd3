import { isUtf8 } from "node:buffer";
import { join, relative } from "node:path/posix";

const escapeBase = 0xdc00;

/** Decodes a name as git prints it. Bytes that are not UTF-8 become lone surrogates, so every name survives JSON. */
export function decodePath(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  return Array.from(bytes, (byte) =>
    String.fromCharCode(byte < 0x80 ? byte : escapeBase + byte),
  ).join("");
}

/** The reverse of `decodePath`. */
export function encodePath(path: string): Buffer {
  if (path.isWellFormed()) return Buffer.from(path);
  return Buffer.from(Array.from(path, (char) => char.charCodeAt(0) & 0xff));
}

/** NUL-terminated records as `-z` prints them; an empty record stays. */
export function splitRecords(bytes: Buffer): string[] {
  if (isUtf8(bytes)) return bytes.toString().split("\0").slice(0, -1);
  const records: string[] = [];
  for (let start = 0, end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
    records.push(decodePath(bytes.subarray(start, end)));
    start = end + 1;
  }
  return records;
}

/** Paths as `-z --stdin` reads them. */
export const joinRecords = (paths: readonly string[]): Buffer =>
  Buffer.concat(paths.map((path) => encodePath(`${path}\0`)));

/** Converts a work tree path to one relative to the project root; paths outside the project begin with `../`. */
export function toProjectPath(prefix: string, path: string): string {
  if (path.startsWith(prefix)) return path.slice(prefix.length);
  const slash = path.endsWith("/") ? "/" : "";
  return relative(`/${prefix}`, `/${path}`) + slash;
}

/** The reverse of `toProjectPath`. A path that leaves the work tree is an error of the caller (T40). */
export function toTreePath(prefix: string, path: string): string {
  const joined = join(prefix, path);
  if (path.startsWith("/") || joined === ".." || joined.startsWith("../")) {
    throw new Error(`${JSON.stringify(path)} leaves the work tree`);
  }
  return joined;
}
