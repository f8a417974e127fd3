import { lstatSync, mkdirSync, realpathSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { hasCode } from "../file-error.ts";

/**
 * The place in which checkouts for a folder of ralph's are made: the folder itself, or one without a hidden folder above
 * it. Servers, linters and test runners leave out what lies below a name that begins with a dot, so that a gate would
 * fail, or pass, only there.
 */
export function visibleFolder(folder: string): string {
  if (!folder.includes("/.")) return folder;
  base ??= makeBase();
  return base.path === undefined ? folder : base.path + folder.replaceAll("/.", "/_");
}

/** Removes what `visibleFolder` has made for a folder, as far as it is empty: nobody comes back to a removed project. */
export function leaveVisibleFolder(folder: string): void {
  const top = base?.path;
  if (top === undefined) return;
  for (let path = visibleFolder(folder); path.startsWith(`${top}/`); path = dirname(path)) {
    if (!removeEmpty(path)) return;
  }
}

/** False for one that is in use. */
function removeEmpty(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    if (!hasCode(error)) throw error;
    return error.code === "ENOENT";
  }
}

/** A folder of this user's with a path short enough for sockets; undefined where no such folder can be made. */
export function userFolder(): string | undefined {
  base ??= makeBase();
  return base.path;
}

let base: { path: string | undefined } | undefined;

/** A folder on disk that only this user can enter. Without one, checkouts stay below the hidden folder. */
function makeBase(): { path: string | undefined } {
  const user = process.getuid?.();
  if (user === undefined) return { path: undefined };
  try {
    const path = join(realpathSync("/var/tmp"), `ralph-${user}`);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const found = lstatSync(path);
    const isOwn = found.isDirectory() && found.uid === user && (found.mode & 0o077) === 0;
    return { path: isOwn ? path : undefined };
  } catch {
    return { path: undefined };
  }
}
