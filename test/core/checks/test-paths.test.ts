import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { trespasses } from "../../../src/core/checks/judge-changes.ts";
import { pathMatcher } from "../../../src/core/checks/path-pattern.ts";
import type { ChangedPath } from "../../../src/core/checks/protection.ts";

const testPaths = ["tests/**", "test/**", "**/__tests__/**", "**/*.test.*", "**/*.spec.*"];

const change = (path: string, overrides: Partial<ChangedPath> = {}): ChangedPath => ({
  path,
  kind: "modified",
  isLink: false,
  ...overrides,
});

describe("a test writer may change tests", () => {
  test.each([
    change("tests/login.js", { kind: "added" }),
    change("tests/login.js"),
    change("tests/old.js", { kind: "deleted" }),
    change("tests/.env.test"),
    change("src/login.test.ts"),
    change("src/__tests__/login.ts"),
    change("tests/fixtures/data.json"),
  ])("$kind $path", (allowed) => expect(trespasses([allowed], testPaths)).toEqual([]));
});

describe("a test writer may change nothing else", () => {
  test.each([
    ["a source file the implementation left dirty", change("src/login.ts")],
    ["a new source file", change("src/new.js", { kind: "added" })],
    ["a workflow", change(".github/workflows/pwn.yml", { kind: "added" })],
    ["the ignore rules", change(".gitignore")],
    ["a name that only begins like the folder", change("tests-evil.js", { kind: "added" })],
    ["a name that only ends like the folder", change("contests/a.js", { kind: "added" })],
    ["a staged document", change("README.md")],
    ["Markdown among the tests", change("tests/README.md", { kind: "added" })],
    ["Markdown in other letters", change("tests/NOTES.MD", { kind: "added" })],
    ["a new link among the tests", change("tests/all", { kind: "added", isLink: true })],
    ["a test that became a link", change("tests/a.js", { kind: "type-changed", isLink: true })],
    ["a link that became a test", change("tests/a.js", { kind: "type-changed" })],
    ["a link that points elsewhere now", change("tests/a.js", { isLink: true })],
    ["the folder itself as a file", change("tests", { kind: "added" })],
    ["a deleted source file", change("src/login.ts", { kind: "deleted" })],
    ["a path outside the project", change("../other/a.test.js", { kind: "added" })],
    ["other letters than the pattern's", change("TESTS/a.js", { kind: "added" })],
    ["a name like a pattern", change("src/**/*.test", { kind: "added" })],
  ])("%s", (_, refused) => expect(trespasses([refused], testPaths)).toEqual([refused.path]));
});

test("a path that matches no test pattern is always a trespass", () => {
  const part = fc.constantFrom("tests", "test", "src", ".github", "a.test.ts", "x.md", "..", "é");
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const kind = fc.constantFrom<ChangedPath["kind"]>("added", "modified", "deleted", "type-changed");
  fc.assert(
    fc.property(path, kind, fc.boolean(), (each, how, isLink) => {
      const found = trespasses([change(each, { kind: how, isLink })], testPaths);
      if (!pathMatcher(testPaths)(each) || isLink) expect(found).toEqual([each]);
    }),
  );
});

test("Markdown among the tests is allowed where a test path names it", () => {
  const fixture = change("tests/fixtures/in.md");
  expect(trespasses([fixture], ["tests/**"])).toEqual(["tests/fixtures/in.md"]);
  expect(trespasses([fixture], ["tests/**", "tests/fixtures/**/*.md"])).toEqual([]);
});
