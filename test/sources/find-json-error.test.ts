import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonError } from "../../src/sources/find-json-error.ts";

test("valid JSON has no error, whatever surrounds it", () => {
  expect(
    findJsonError('\r\n\t {"a": [1, -2.5e+3, "\\u00e9\\/", null, true, {}]} \n'),
  ).toBeUndefined();
});

test("an error is found exactly where the engine's own parser finds one", () => {
  const token = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"a"',
    "1",
    "-",
    ".",
    "e",
    "null",
    " ",
    "\\",
    "/*",
    '"',
    "\f",
    "\u00a0",
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
      const text = tokens.join("");
      expect(findJsonError(text) === undefined).toBe(isJson(text));
    }),
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test.each(["\f{}", "\u00a0{}", "{} \u2028", "[1]\v"])(
  "%j: foreign white space is refused with a message",
  (text) => {
    expect(findJsonError(text)?.message).not.toBe("");
  },
);
