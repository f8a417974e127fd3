import { posix } from "node:path";
import type { Files, System } from "../system.ts";

/** Ralph's own files, in a folder that others can write too. */
export type OwnFiles = Pick<Files, "read" | "write" | "openAppend" | "list" | "remove">;

/**
 * Removes obstacles to ralph's own files (a link, a pipe, a file in place of the folder) instead of following them or
 * waiting for them: an agent can neither redirect nor block writes (T38, T39). `folder` is below `files`' root.
 */
export function createOwnFiles(files: Files, folder: string): OwnFiles {
  const full = (path: string) => posix.join(folder, path);
  const kindOf = async (path: string) => (await files.stat(path))?.kind;
  const makeWay = async (path: string) => {
    for (const above of foldersAbove(full(path))) {
      const kind = await kindOf(above);
      if (kind !== undefined && kind !== "folder") await files.remove(above);
    }
    await files.makeFolder(posix.dirname(full(path)));
    const kind = await kindOf(full(path));
    if (kind !== undefined && kind !== "file") await files.remove(full(path));
  };
  const isReachable = async (path: string) => {
    for (const above of foldersAbove(full(path))) {
      if ((await kindOf(above)) !== "folder") return false;
    }
    return true;
  };
  return {
    // Anything else in its place is foreign content.
    read: async (path) => {
      if (!(await isReachable(path))) return undefined;
      const kind = await kindOf(full(path));
      return kind === undefined || kind === "file" ? files.read(full(path)) : Buffer.alloc(0);
    },
    write: async (path, content, options) => {
      await makeWay(path);
      await files.write(full(path), content, options);
    },
    openAppend: async (path) => {
      await makeWay(path);
      return files.openAppend(full(path));
    },
    list: async (path) =>
      (await isReachable(`${path}/.`)) && (await kindOf(full(path))) === "folder"
        ? files.list(full(path))
        : [],
    remove: async (path) => {
      if (await isReachable(path)) await files.remove(full(path));
    },
  };
}

/** Own files in an absolute folder: below `root` it is entered from there, never through a link. */
export function openOwnFiles(
  { files }: Pick<System, "files">,
  root: string,
  folder: string,
): OwnFiles {
  const above = folder.startsWith(`${root}/`) ? root : posix.dirname(folder);
  return createOwnFiles(files(above), posix.relative(above, folder));
}

/** `a`, `a/b` for `a/b/c`. */
function foldersAbove(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
