import { hash, timingSafeEqual } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

/** A file with secrets; `open`: other users could read or change it, so it must not be trusted. */
type SecretFile = { kind: "read"; text: string } | { kind: "absent" | "open" };

const { O_RDONLY, O_NONBLOCK, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
/** Permissions of users that are neither the owner nor in the group. */
const others = 0o007;
const maxBytes = 64 * 1024;

/** Reads a file that only its owner and group may read. Links are followed, because secrets are mounted as links. */
export function readSecretFile(path: string): SecretFile {
  const file = orAbsent(() => openSync(path, O_RDONLY | O_NONBLOCK));
  if (file === undefined) return { kind: "absent" };
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > maxBytes) return { kind: "absent" };
    if ((stat.mode & others) !== 0) return { kind: "open" };
    return { kind: "read", text: readFileSync(file, "utf8") };
  } finally {
    closeSync(file);
  }
}

/** Writes a new file, with its folders, that only its owner may read; false when the path exists already. */
export function writeSecretFile(path: string, text: string): boolean {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = create(path);
  if (file === undefined) return false;
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } catch (error) {
    // A partial secret would be read as a complete one and never replaced.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return true;
}

function create(path: string): number | undefined {
  try {
    return openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return undefined;
    throw error;
  }
}

function orAbsent(open: () => number): number | undefined {
  try {
    return open();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return undefined;
    throw error;
  }
}

const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error ? String(error.code) : "";

/** Compares in constant time, so that an answer's time does not disclose a secret. */
export const isSameSecret = (given: string, secret: string): boolean =>
  timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", secret, "buffer"));
