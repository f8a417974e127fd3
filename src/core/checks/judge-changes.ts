import type { Role } from "../state/roles.ts";
import { pathMatcher } from "./path-pattern.ts";
import { type ChangedPath, type Protection, protectedChanges } from "./protection.ts";

type Rules = { role: Role; protection: Protection; testPaths: readonly string[] };

/** Decides which of an agent's changes are put back (design 4.2, 5). Those of the test writer outside of tests fail its iteration. */
export function judgeChanges(
  changes: readonly ChangedPath[],
  { role, protection, testPaths }: Rules,
): { refused: string[]; trespassed: string[] } {
  const refused = protectedChanges(changes, protection);
  const isRefused = new Set(refused);
  const free = changes.filter(({ path }) => !isRefused.has(path));
  if (role === "test_writing") return { refused, trespassed: trespasses(free, testPaths) };
  if (role === "fix") {
    const isTest = pathMatcher(testPaths);
    const tests = free.filter(({ path }) => isTest(path)).map(({ path }) => path);
    return { refused: [...refused, ...tests], trespassed: [] };
  }
  const isReader = role === "review" || role === "planning";
  return { refused: isReader ? changes.map(({ path }) => path) : refused, trespassed: [] };
}

/** A test writer's changes outside the test paths, links, and Markdown that no pattern names (design 4.2, compatibility 1.12). */
export function trespasses(
  changes: readonly ChangedPath[],
  testPaths: readonly string[],
): string[] {
  const isTestPath = pathMatcher(testPaths);
  const isFixture = pathMatcher(testPaths.filter(isMarkdown));
  const mayChange = ({ path, kind, isLink }: ChangedPath) =>
    (isMarkdown(path) ? isFixture(path) : isTestPath(path)) && !isLink && kind !== "type-changed";
  return changes.filter((change) => !mayChange(change)).map(({ path }) => path);
}

const isMarkdown = (path: string) => /\.(?:md|mdx|markdown)$/i.test(path);
