import fc from "fast-check";
import { expect, test } from "vitest";
import { hasLine, insertAt, isRule, markdownLines } from "../../src/text/markdown-lines.ts";

const part = fc.constantFrom("a", "\n", "\r\n", "```", "<!--", "-->", "---", "# h", "~~~~");
const text = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(""));

test("the lines of a text add up to the text", () => {
  fc.assert(
    fc.property(text, (value) => {
      const lines = markdownLines(value);
      expect(lines.map(({ start, end }) => value.slice(start, end)).join("")).toBe(value);
    }),
  );
});

test("comments and fenced blocks are opaque", () => {
  const lines = markdownLines("a\n<!-- b\n---\n-->\n---\n```js\n# c\n~~~\n```\nd\n<!-- one -->\ne");
  expect(lines.filter(({ isOpaque }) => !isOpaque).map((line) => line.text)).toEqual([
    "a",
    "---",
    "d",
    "e",
  ]);
  expect(lines.filter(isRule)).toHaveLength(1);
});

test("an insertion follows the file's line breaks and starts on a line of its own", () => {
  expect(insertAt("a\r\nb", 4, "- x\n")).toBe("a\r\nb\r\n- x\r\n");
  expect(insertAt("a\nb\n", 2, "- x\n")).toBe("a\n- x\nb\n");
  expect(insertAt("", 0, "- x\n")).toBe("- x\n");
});

test.each([
  ["## a\n", true],
  ["x\n## a", true],
  ["## a \t\r\nx", true],
  ["## ab\n## a\n", true],
  ["x ## a\n", false],
  ["## a b\n", false],
  ["", false],
])("in %j the line `## a` is found: %s", (text, expected) => {
  expect(hasLine(text, "## a")).toBe(expected);
});
