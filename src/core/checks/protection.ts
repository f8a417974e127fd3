import { pathMatcher } from "./path-pattern.ts";

/** A path that differs from the tree before, relative to the project root. */
export interface ChangedPath {
  path: string;
  kind: "added" | "modified" | "deleted" | "type-changed";
  /** What stands there now is a link. */
  isLink?: boolean;
}

export interface Protection {
  /** `protect.allow` of the start commit: globs that lift the protection. */
  allow: readonly string[];
  /** Files and folders we write ourselves, wherever the user puts them. Nothing lifts their protection. */
  own: readonly string[];
}

/** Read at the root only: a `.github` folder deeper down is an ordinary folder for GitHub. */
const rootNames = new Set([".github", ".ralph", ".ralph-session"]);

/**
 * Files and folders that steer git, GitHub's reviews or agent programs. Those programs read them in every
 * folder they work in, so they are protected wherever they are (T07, T08, T43).
 */
const namesAnywhere = new Set([
  ".gitattributes",
  ".gitmodules",
  "codeowners",
  ".claude",
  ".codex",
  ".cursor",
  ".cursorrules",
  ".gemini",
  ".husky",
  ".mcp.json",
  "agents.md",
  "agents.override.md",
  "claude.md",
  "claude.local.md",
  "gemini.md",
]);

/**
 * The changes nobody may make in a task; they are put back and told to the agent (design 5). Names are
 * compared as the most forgiving file system would (T37, T44); `allow` lifts only what it names exactly.
 */
export function protectedChanges(
  changes: readonly Pick<ChangedPath, "path">[],
  { allow, own }: Protection,
): string[] {
  const isAllowed = pathMatcher(allow);
  const isOwn = ownMatcher(own);
  const isRefused = (path: string) =>
    isOwn(path) || (isProtected(foldedParts(path)) && !isAllowed(path));
  return changes.map(({ path }) => path).filter(isRefused);
}

/** One of ours, something in a folder of ours, or something put in place of a folder above. */
function ownMatcher(own: readonly string[]): (path: string) => boolean {
  const ours = own.map(ownKey);
  return (path) => {
    const key = ownKey(path);
    const isAbove = (folder: string, other: string) => other.startsWith(`${folder}/`);
    return ours.some((each) => each === key || isAbove(each, key) || isAbove(key, each));
  };
}

/** Outside the project a folder may have the same name as one inside. */
function ownKey(path: string): string {
  const outside = /^(?:\.\.\/)*/.exec(path)?.[0] ?? "";
  return `${outside}${foldedParts(path).join("/")}`;
}

function isProtected(parts: readonly string[]): boolean {
  const [first = ""] = parts;
  return rootNames.has(first) || parts.some((part) => namesAnywhere.has(part));
}

/**
 * The parts of a path without what a file system may ignore: case, compatibility and invisible characters,
 * trailing dots and spaces, stream names, `.` and `..`.
 */
function foldedParts(path: string): string[] {
  return path
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .split(/[/\\]/u)
    .map((part) => part.replace(/:.*$/su, "").replace(/[. ]+$/u, ""))
    .filter((part) => part !== "");
}
