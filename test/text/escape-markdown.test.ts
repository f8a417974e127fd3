import fc from "fast-check";
import { expect, test } from "vitest";
import { codeSpan, escapeMarkdown, escapeTableCell } from "../../src/text/escape-markdown.ts";
import { hostileText } from "../views/job/hostile-text.ts";

test.each([
  ["see `npm test` now, #12 too", "see `npm test` now, #12 too"],
  ["R&D: 1 < 2, f(x) and a @ b", "R&D: 1 < 2, f(x) and a @ b"],
  ["a Map<string> in C:\\work.", "a `Map<string>` in `C:\\work`."],
  ["thanks (@octo-team/core)!", "thanks `(@octo-team/core)`!"],
  ['write to "me@x.example" or @octo, please', 'write to "`me@x.example`" or `@octo`, please'],
  ["Fixes #12 and closes: o/r#3", "Fixes `#12` and closes: `o/r#3`"],
  ["see [the docs](https://x.example/a).", "see `[the docs](https://x.example/a)`."],
  ["stray ` tick @me", "stray ' tick `@me`"],
  ["`@injectable()` and fixes `#1`", "`@injectable()` and fixes `#1`"],
])("to read on: %j becomes %j", (line, expected) => {
  expect(escapeMarkdown(line)).toBe(expected);
});

test.each([
  ["\\<img src=x>", "`\\<img src=x>`"],
  ["\\@octo", "`\\@octo`"],
  ["\\`@octo\\`", "`\\'@octo\\'`"],
  ["a\\``@octo`", "`a\\'@octo'`"],
  ["&#64;octo", "`&#64;octo`"],
  ["&commat;octo", "`&commat;octo`"],
  ["_@octo_ -@octo /@octo", "`_@octo_` `-@octo` `/@octo`"],
  ["fixes **#12** or closes - gh-3", "fixes `**#12**` or closes - `gh-3`"],
  ["resolved:#4", "`resolved:#4`"],
  ["<!-- b --> <img src='`'>`", "`<!-- b -->` `<img` src='`'>`"],
  ["![a][b] ![c](//x)", "`![a][b]` `![c](//x)`"],
  ["as in octo/other.repo#12, (a/b#3)", "as in `octo/other.repo#12`, `(a/b#3)`"],
  ["_https://x.example www.y.example", "`_https://x.example` `www.y.example`"],
])("to do harm: %j becomes %j", (line, expected) => {
  expect(escapeMarkdown(line)).toBe(expected);
});

test.each([
  ["a | b", "a \\| b"],
  ["`a | b`", "`a \\| b`"],
  ["`a\\| @octo`", "`a\\ \\| @octo`"],
  ["a \\| b", "a `\\ \\|` b"],
])("in a cell %j becomes %j", (line, expected) => {
  expect(escapeTableCell(line)).toBe(expected);
});

const line = hostileText.map((text) => text.replaceAll("\n", " "));

test("outside code nothing links, mentions, escapes, opens a tag or shows an image", () => {
  fc.assert(
    fc.property(line, (text) => {
      const outside = escapeMarkdown(text).split(/`[^`]+`/);
      for (const part of outside) {
        expect(part).not.toMatch(/[\\`[\]]|<[a-z/!?]|&#|&\w+;|@[a-z0-9]|fixes[^\w]*#\d/i);
        expect(part).not.toMatch(/(?:https?|ftp|mailto|xmpp):|www\.|\w@\w/i);
      }
    }),
  );
});

test("to do it twice changes nothing, and every word is still there", () => {
  fc.assert(
    fc.property(line, (text) => {
      const once = escapeMarkdown(text);
      expect(escapeMarkdown(once)).toBe(once);
      const words = (each: string) => each.replace(/[`']/g, "");
      expect(words(once)).toBe(words(text));
    }),
  );
});

test("two code spans never touch, which would make them one", () => {
  fc.assert(
    fc.property(line, (text) => {
      expect(escapeMarkdown(text)).not.toContain("``");
    }),
  );
});

test("a cell never ends before its end", () => {
  fc.assert(
    fc.property(line, (text) => {
      // As GitHub splits rows: a backslash takes the next character along.
      const left = escapeTableCell(text).replace(/\\./gs, "");
      expect(left).not.toContain("|");
    }),
  );
});

test("a name is a code span whatever it holds", () => {
  expect(codeSpan("feat/`x|y`")).toBe("`feat/'x\\|y'`");
  expect(codeSpan("")).toBe("-");
});
