import picomatch from "picomatch";

/** Matches project paths against globs: dot files count, `tests/` means all below it, `!` excludes, and `..` matches nothing. */
export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const matches = matcherOf(patterns.filter((pattern) => !pattern.startsWith("!")));
  const excludes = matcherOf(
    patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1)),
  );
  return (path) => !leadsOutside(path) && matches(path) && !excludes(path);
}

function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  if (patterns.length === 0) return () => false;
  // Without strictSlashes `tests/**` would also match a file, or a link, named `tests`.
  const isMatch = picomatch(patterns.map(complete), { dot: true, strictSlashes: true });
  return (path) => isMatch(path);
}

function complete(pattern: string): string {
  const plain = pattern.replace(/^(?:\.\/)+/, "");
  return plain.endsWith("/") ? `${plain}**` : plain;
}

const leadsOutside = (path: string) => path.startsWith("/") || path.split("/").includes("..");

/** A path as the most forgiving file system compares it: without case and forms of accents. */
const fold = (path: string) => path.normalize("NFKC").toLowerCase();

/** The `changed` paths that are one file with another of `paths` on some file systems, where a checkout would differ. */
export function sameNames(changed: readonly string[], paths: readonly string[]): string[] {
  const twins = Map.groupBy(new Set([...paths, ...changed]), fold);
  return changed.filter((path) => (twins.get(fold(path))?.length ?? 0) > 1);
}
