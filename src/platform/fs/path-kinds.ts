import { realpathSync, statSync } from "node:fs";

/** Paths that exist, with all links resolved, told apart by what they are. */
export interface PathKinds {
  readonly folders: readonly string[];
  /** Everything that is no folder: files, sockets, devices. */
  readonly files: readonly string[];
}

/** Looks at each absolute path; what is missing or closed to us is left out. */
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
