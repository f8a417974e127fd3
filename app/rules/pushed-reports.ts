import { normalize } from "node:path/posix";
import { pathMatcher } from "../../src/core/checks/path-pattern.ts";

type Commits = readonly { added: readonly string[]; modified: readonly string[] }[];

/** The reports in a push: direct children of the folder whose names match the configured patterns. Pure. */
export function reportsIn(
  commits: Commits,
  { folder, patterns }: { folder: string; patterns: readonly string[] },
): string[] {
  const start = `${normalize(folder).replace(/\/+$/, "")}/`;
  const isReport = pathMatcher([...patterns]);
  const changed = commits.flatMap(({ added, modified }) => [...added, ...modified]);
  const names = changed
    .filter((path) => path.startsWith(start))
    .map((path) => path.slice(start.length));
  const reports = names.filter((name) => !name.includes("/") && isReport(name));
  return [...new Set(reports)].toSorted().map((name) => `${start}${name}`);
}
