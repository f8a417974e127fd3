import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";

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
