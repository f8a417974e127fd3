import picomatch from "picomatch";

/**
 * Matches paths of the project against globs: dot files count, `tests/` means everything below it, and a pattern that
 * begins with `!` excludes matches of the others. A path with `..` matches nothing.
 */
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
