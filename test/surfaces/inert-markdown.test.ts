import fc from "fast-check";
import { expect, test } from "vitest";
import { inertCell, inertMarkdown } from "../../src/surfaces/inert-markdown.ts";

test.each([
  ["ask @octo-team/core now", "ask `@octo-team/core` now"],
  ["mail me@example.org", "mail me@example.org"],
  ["Fixes #12 and closes: o/r#3", "Fixes `#12` and closes: `o/r#3`"],
  [
    "resolved https://github.com/o/r/issues/1 today",
    "resolved `https://github.com/o/r/issues/1` today",
  ],
  ["see #12", "see #12"],
  ["`@injectable()` and fixes `#1`", "`@injectable()` and fixes `#1`"],
  ["stray ` tick @me", "stray ' tick `@me`"],
  ["a <!-- b --> <img src=x> 1 < 2", "a \\<!-- b --> \\<img src=x> 1 < 2"],
  ["![logo](https://x)", "[logo](https://x)"],
])("%j becomes %j", (line, expected) => {
  expect(inertMarkdown(line)).toBe(expected);
});

const piece = fc.constantFrom(
  "`",
  "``",
  "@me",
  " ",
  "fixes #1",
  "<!--",
  "x",
  "close gh-2",
  "![",
  "<b>",
);

test("outside code spans nothing mentions, closes, opens a tag or shows an image", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const parts = inertMarkdown(pieces.join("")).split("`");
      // An odd number of parts: every span that opens also closes.
      expect(parts.length % 2).toBe(1);
      const outside = parts.filter((_, index) => index % 2 === 0).join("\n");
      expect(outside).not.toMatch(/(?<![\w/.-])@\w|fixes #\d|close gh-\d|(?<!\\)<[b!]|!\[/);
    }),
  );
});

test("a cell stays one cell", () => {
  expect(inertCell("a | b")).toBe("a \\| b");
});
