import { posix } from "node:path";

/** What is known of the files that outputs of gates may name. */
export interface ProjectPaths {
  /** Absolute path of the project. */
  root: string;
  /**
   * Paths of the project's files, as git lists them. With them a path is matched by its ending too, because a
   * gate may run in a folder below, and what is no file of the project is dropped. Without, it is taken as printed.
   */
  files?: readonly string[];
}

/** Answers where in the project a printed path lies, or undefined when it does not. Remembers its answers. */
export function annotationPaths({ root, files }: ProjectPaths) {
  const known = new Map<string, string | undefined>();
  const listed = files && new Set(files);
  return (printed: string): string | undefined => {
    if (known.has(printed)) return known.get(printed);
    const path = insideProject(printed, root);
    const found = path && listed ? listedPath(path, listed) : path;
    known.set(printed, found);
    return found;
  };
}

function insideProject(printed: string, root: string): string | undefined {
  const isAbsolute = printed.startsWith(`${root}/`);
  const path = posix.normalize(isAbsolute ? printed.slice(root.length + 1) : printed);
  const isOutside =
    path.startsWith("/") || /(?:^|\/)(?:\.\.|\.git|node_modules)(?:\/|$)/.test(path);
  return isOutside || path === "." || /[\p{Cc}\\]/u.test(path) ? undefined : path;
}

function listedPath(path: string, listed: ReadonlySet<string>): string | undefined {
  if (listed.has(path)) return path;
  const ending = `/${path}`;
  const matches = [...listed].filter((file) => file.endsWith(ending));
  return matches.length === 1 ? matches[0] : undefined;
}
