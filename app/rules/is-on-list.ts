import { pathMatcher } from "../../src/core/checks/path-pattern.ts";

/** Whether a repository (`owner/name`) is on its owner's list of names and patterns; without a list every one is. Pure. */
export function isOnList(patterns: readonly string[] | undefined, repository: string): boolean {
  if (!patterns) return true;
  const name = repository.slice(repository.indexOf("/") + 1).toLowerCase();
  const hasOnlyExclusions =
    patterns.length > 0 && patterns.every((pattern) => pattern.startsWith("!"));
  const all = hasOnlyExclusions ? ["*", ...patterns] : patterns;
  return pathMatcher(all.map((each) => each.toLowerCase()))(name);
}
