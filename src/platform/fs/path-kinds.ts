import { realpathSync, statSync } from "node:fs";

/** Existing paths by kind, with all links resolved. */
export interface PathKinds {
  readonly folders: readonly string[];
  /** Everything except folders: files, sockets, devices. */
  readonly files: readonly string[];
}

/** Reads the kind of each absolute path, and omits missing and inaccessible ones. */
export function readPathKinds(paths: readonly string[]): PathKinds {
  const found = paths.map(resolve).filter((path) => path !== undefined);
  const isFolder = (path: string) => statSync(path).isDirectory();
  return {
    folders: found.filter(isFolder),
    files: found.filter((path) => !isFolder(path)),
  };
}

function resolve(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
