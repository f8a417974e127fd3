import { pathMatcher } from "./path-pattern.ts";
import type { ChangedPath } from "./protection.ts";

/**
 * The changes of a test writer that are put back (design 4.2): everything outside the test paths, links,
 * which could lead anywhere, and Markdown even among the tests (compatibility 1.12). Protected paths are
 * refused earlier, even among the test paths (`protectedChanges`).
 */
export function trespasses(
  changes: readonly ChangedPath[],
  testPaths: readonly string[],
): string[] {
  const isTestPath = pathMatcher(testPaths);
  const mayChange = ({ path, kind, isLink }: ChangedPath) =>
    isTestPath(path) && !isMarkdown(path) && !isLink && kind !== "type-changed";
  return changes.filter((change) => !mayChange(change)).map(({ path }) => path);
}

const isMarkdown = (path: string) => /\.(?:md|mdx|markdown)$/i.test(path);
