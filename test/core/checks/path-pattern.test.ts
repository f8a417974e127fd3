import { expect, test } from "vitest";
import { pathMatcher } from "../../../src/core/checks/path-pattern.ts";

test.each<[readonly string[], string, boolean]>([
  [["tests/**"], "tests/a.js", true],
  [["tests/**"], "tests/deep/.hidden/a.js", true],
  [["tests/**"], "tests", false],
  [["tests/**"], "tests-evil.js", false],
  [["tests/**"], "src/tests/a.js", false],
  [["tests/**"], "Tests/a.js", false],
  [["tests/**"], "tests/../src/a.js", false],
  [["**"], "../a.js", false],
  [["**"], "/etc/passwd", false],
  [["tests/"], "tests/a.js", true],
  [["./tests/**"], "tests/a.js", true],
  [["**/*.test.*"], "a.test.ts", true],
  [["**/*.test.*"], "src/a.test.ts", true],
  [["**/*.test.*"], "src/latest.ts", false],
  [["**/__tests__/**"], "src/__tests__/a.ts", true],
  [["**/__tests__/**"], "src/__tests__", false],
  [["tests/**", "!tests/fixtures/**"], "tests/a.js", true],
  [["tests/**", "!tests/fixtures/**"], "tests/fixtures/a.js", false],
  [["!src/**"], "README.md", false],
  [[], "a", false],
])("%j against %s is %s", (patterns, path, expected) => {
  expect(pathMatcher(patterns)(path)).toBe(expected);
});
