import fc from "fast-check";
import { expect, test } from "vitest";
import { cut, plainLine, plainText } from "../../src/text/plain-text.ts";

const hostile = fc.string({ unit: "binary", maxLength: 200 });
const escapes = fc.constantFrom(
  "\x1b[31m",
  "\x1b]0;t\x07",
  "\x9b1m",
  "\u202e",
  "\u200b",
  "\r",
  "\0",
);
const text = fc.array(fc.oneof(hostile, escapes)).map((parts) => parts.join(""));

test("no escape, control or invisible character survives", () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(plainText(value)).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u);
    }),
  );
});

test("plain text is plain already", () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(plainText(plainText(value))).toBe(plainText(value));
    }),
  );
});

test("a line is one line, bounded, and no runner command", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 50 }), (value, max) => {
      const line = plainLine(`${value}##[error]x`, max);
      expect(line.length).toBeLessThanOrEqual(max);
      expect(line).not.toMatch(/[\n\r\u0085\u2028\u2029]|##\[/);
    }),
  );
});

test.each([
  ["\x1b[31mred\x1b[0m", "red"],
  ["a\x1b]8;;http://x\x07link\x1b]8;;\x07", "alink"],
  ["one\r\ntwo\u2028three", "one\ntwo\nthree"],
  ["a\x1bP1;2q\x1b\\b\x9b2Jc\x1b(Bd\x1b]0;title never ended\ne", "abcd\ne"],
  ["tag\u{E0041}\u{E0042}", "tag"],
])("%j becomes %j", (value, expected) => {
  expect(plainText(value)).toBe(expected);
});

test("hostile text takes linear time", () => {
  for (const part of ["\x1b]0;", "\x1b[", "\x1b;a", "\x9b1;", "\x1bP", "\r", "\u200b"]) {
    expect(plainText(part.repeat(256 * 1024))).not.toContain("\x1b");
  }
});

test("cutting never splits a character", () => {
  expect(cut("ab\u{1F600}cd", 4)).toBe("ab…");
  expect(cut("abcd", 4)).toBe("abcd");
  expect(cut("abcd", 0)).toBe("");
});
