import fc from "fast-check";
import { expect, test } from "vitest";
import { codeSpan, inertText, inertTextCell } from "../../../src/surfaces/views/inert-text.ts";
import { hostileText } from "./hostile-text.ts";

test.each([
  ["see `npm test` now", "see `npm test` now"],
  ["ask @octo, fixes #12", "ask `@octo`, fixes `#12`"],
  ["[logo](https://x.example/a)", "\\[logo\\](`https://x.example/a)`"],
  ["_https://x.example", "_`https://x.example`"],
  ["write to me@x.example", "write to `me@x.example`"],
  ["www.x.example `www.y.example`", "`www.x.example` `www.y.example`"],
  ["<img src=x>", "\\<img src=x>"],
  // A backslash of the text would undo the one that is put before the tag.
  ["\\<img src=x>", "\\\\\\<img src=x>"],
  ["\\@octo", "\\\\`@octo`"],
  ["\\`@octo\\`", "\\\\`@octo\\`"],
  ["&#64;octo", "&amp;#64;octo"],
  ["![a][b]", "\\[a\\]\\[b\\]"],
])("%j becomes %j", (line, expected) => {
  expect(inertText(line)).toBe(expected);
});

test.each([
  ["a | b", "a \\| b"],
  ["`a | b`", "`a \\| b`"],
  ["`a\\| @octo`", "`a\\ \\| @octo`"],
  ["a \\| b", "a \\\\ \\| b"],
])("in a cell %j becomes %j", (line, expected) => {
  expect(inertTextCell(line)).toBe(expected);
});

test("outside code nothing links, mentions, opens a tag or shows an image", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const outside = inertText(text.replaceAll("\n", " "))
        .split(/(`[^`]*`)/)
        .filter((_, index) => index % 2 === 0)
        .join("\0");
      expect(outside).not.toContain("`");
      // Escaped pairs are taken away first: what is left is what Markdown may act on.
      const acting = outside.replace(/\\[\\<[\]]/g, "\0");
      expect(acting).not.toMatch(
        /[[\]]|<[a-z/!?]|&(?!amp;)|(?:https?|ftp|mailto|xmpp):|www\.|\w@\w+\./i,
      );
      expect(acting).not.toMatch(/(?<![\w/.-])@[a-z0-9]/i);
    }),
  );
});

test("a cell never ends before its end", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      // As GitHub splits rows: a backslash takes the next character along.
      const left = inertTextCell(text.replaceAll("\n", " ")).replace(/\\./gs, "");
      expect(left).not.toContain("|");
    }),
  );
});

test("a name is a code span whatever it holds", () => {
  expect(codeSpan("feat/`x|y`")).toBe("`feat/'x\\|y'`");
  expect(codeSpan("")).toBe("-");
});
