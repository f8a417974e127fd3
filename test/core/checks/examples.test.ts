import { expect, test } from "vitest";
import { exampleLines, examplePart } from "../../../src/core/checks/examples.ts";

test.each([
  ["a.rs", "/// ```\n/// a();\n/// ```\nfn a() {}", [1, 2, 3]],
  ["a.rs", "//! ```rust,no_run\n//! a();\n//! ```", [1, 2, 3]],
  ["a.rs", "    /// ~~~ should_panic\n    /// a();\n    /// ~~~", [1, 2, 3]],
  ["a.rs", "/// ```text\n/// a();\n/// ```\n/// b();", []],
  ["a.rs", "/// ```ignore\n/// a();\n/// ```\n/// ```\n/// b();\n/// ```", [4, 5, 6]],
  ["a.rs", '// ```\n// a();\nlet text = "/// ";', []],
  ["a.py", '"""Up.\n\n>>> up("a")\n\'A\'\n\nMore.\n"""', [3, 4]],
  ["a.py", '"""Up.\n    >>> up("a")\n    \'A\'\n    """\n    return 1', [2, 3]],
  ["a.ex", '@doc """\n    iex> up("a")\n    "A"\n    """', [2, 3]],
  ["a.rs", "/// ```\n/// a();\nfn a() {}\n/// ```\n/// b();\n/// ```", [1, 2, 4, 5, 6]],
  ["a.py", "shift >>> 2", []],
])("the examples of %s with %j are on lines %j", (path, text, lines) => {
  expect([...exampleLines(path, text)]).toEqual(lines);
});

const head = "diff --git a/a.rs b/a.rs\n--- a/a.rs\n+++ b/a.rs\n";
const before = "/// ```\n/// assert(1);\n/// ```\nfn a() {\n    1\n}\n";
const patchOf = (header: string, ...lines: string[]) => ({
  path: "a.rs",
  line: 2,
  patch: `${head}${header}\n${lines.join("\n")}\n`,
});

test("of a hunk, the changes beside the example count as unchanged", () => {
  const hunk = patchOf(
    "@@ -1,6 +1,7 @@",
    " /// ```",
    "-/// assert(1);",
    "+/// assert(2);",
    " /// ```",
    " fn a() {",
    "-    1",
    "+    let two = 2;",
    "+    two",
    " }",
  );
  expect(examplePart(hunk, before)).toEqual(
    patchOf(
      "@@ -1,7 +1,7 @@",
      " /// ```",
      "-/// assert(1);",
      "+/// assert(2);",
      " /// ```",
      " fn a() {",
      "     let two = 2;",
      "     two",
      " }",
    ),
  );
});

test("a hunk keeps its spaces, and what git remarks on a line", () => {
  const hunk = patchOf(
    "@@ -1,3 +1,5 @@",
    "-/// ```",
    "+/// ```no_run",
    " /// assert(1);",
    "-b",
    "\\ No newline at end of file",
    "+c",
    "+  ",
    "+d",
    "\\ No newline at end of file",
  );
  const part = examplePart(hunk, "/// ```\n/// assert(1);\nb");
  expect(part?.patch.split("\n").slice(3)).toEqual([
    "@@ -1,5 +1,5 @@",
    "-/// ```",
    "+/// ```no_run",
    " /// assert(1);",
    " c",
    "   ",
    " d",
    "\\ No newline at end of file",
    "",
  ]);
});

test("a hunk that changes the code alone has no part of an example", () => {
  const hunk = patchOf("@@ -4,3 +4,3 @@", " fn a() {", "-    1", "+    2", " }");
  expect(examplePart(hunk, before)).toBeUndefined();
});

test("an example that is only added is no old one", () => {
  const hunk = patchOf("@@ -4,3 +4,4 @@", "+/// ```", " fn a() {", "     1", " }");
  expect(examplePart(hunk, before)).toBeUndefined();
});
