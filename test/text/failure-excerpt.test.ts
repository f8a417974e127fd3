import { expect, test } from "vitest";
import { failureExcerpt, headline } from "../../src/text/failure-excerpt.ts";

const tap = `TAP version 13
ok 1 - reads
ok 2 - writes
not ok 3 - adds numbers
  ---
  expected: 3
  actual: 4
  ...
ok 4 - closes
1..4`;

test("the failing test comes first, with what follows it", () => {
  expect(failureExcerpt(tap, ["tap: adds numbers"])).toEqual([
    "not ok 3 - adds numbers",
    "  ---",
    "  expected: 3",
    "  actual: 4",
  ]);
});

test("without a named failure the end of the output is shown, line by line", () => {
  const output = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`).join("\n");
  const shown = failureExcerpt(output);
  expect(shown).toHaveLength(12);
  expect(shown.at(-1)).toBe("line 30");
});

test("many failures are cut, and no line can steer a terminal", () => {
  const names = Array.from({ length: 9 }, (_, at) => `tap: case ${at}x`);
  const output = names
    .map((_, at) => `not ok ${at} - case ${at}x\n  \u001b[31mred\u0007`)
    .join("\n");
  const shown = failureExcerpt(output, names);
  expect(shown).toHaveLength(12);
  expect(shown.join("")).not.toMatch(/\p{Cc}/u);
});

test("a headline is the first line, and the next one where the first only announces it", () => {
  expect(headline("Gate failed.\nmore")).toBe("Gate failed.");
  expect(headline("These do not hold:\n1. Run x\n2. y")).toBe("These do not hold: 1. Run x");
});
