import { expect, test } from "vitest";
import { hunksOf, isUnnoticeable, spread } from "../../../src/core/checks/hunks.ts";

const patch = `diff --git a/src/a.js b/src/a.js
index 1..2 100644
--- a/src/a.js
+++ b/src/a.js
@@ -1,3 +1,3 @@
 one
-two
+deux
 three
@@ -10,0 +11,2 @@ function x
+eleven
+twelve
diff --git a/old.js b/old.js
deleted file mode 100644
index 3..0
--- a/old.js
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/pic.png b/pic.png
index 4..5 100644
Binary files a/pic.png and b/pic.png differ
diff --git "a/src/\\303\\274.js" "b/src/\\303\\274.js"
new file mode 100644
--- /dev/null
+++ "b/src/\\303\\274.js"
@@ -0,0 +1 @@
+new
`;

test("a patch is cut into hunks that keep the header of their file", () => {
  const hunks = hunksOf(patch);
  expect(hunks.map(({ path, line }) => [path, line])).toEqual([
    ["src/a.js", 2],
    ["src/a.js", 11],
    ["old.js", 1],
    ["src/\\303\\274.js", 1],
  ]);
  expect(hunks[1]?.patch).toMatch(
    /^diff --git a\/src\/a\.js[\s\S]*\n@@ -10,0 \+11,2 @@[\s\S]*\+twelve\n$/,
  );
  expect(hunks[1]?.patch).not.toContain("deux");
});

test.each([
  ["+// a word\n-// a note\n", true],
  ["+\n-\n", true],
  ["+const a = 'x';\n-const a = \"x\"\n", true],
  ["+f(a, b)\n-f(\n-  a,\n-  b,\n-)\n", true],
  ["+return a + 1;\n-return a + 2;\n", false],
  ["+#include <x.h>\n", false],
  ["+x = x - 1\n", false],
  ["-  state.seen = true;\n", false],
])("a hunk of %j is not noticeable: %s", (lines, expected) => {
  expect(
    isUnnoticeable({ patch: `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n${lines}` }),
  ).toBe(expected);
});

test.each([
  [3, 8, [0, 1, 2]],
  [5, 2, [0, 4]],
  [9, 3, [0, 4, 8]],
  [4, 1, [0]],
  [4, 0, []],
])("of %i items at most %i are chosen, spread evenly", (length, most, expected) => {
  expect(
    spread(
      Array.from({ length }, (_, index) => index),
      most,
    ),
  ).toEqual(expected);
});
