import fc from "fast-check";
import { expect, test } from "vitest";
import { createOutputKeeper } from "../../../src/platform/process/output-keeper.ts";

function keep(limit: number, chunks: readonly (string | Buffer)[]) {
  const keeper = createOutputKeeper(limit);
  for (const chunk of chunks) keeper.push(Buffer.from(chunk));
  return { text: keeper.text(), bytes: keeper.bytes() };
}

test.for([
  [["", ""], ""],
  [["abc"], "abc"],
  [["abc", "def"], "abcdef"],
  [["abcdef", "ghi"], "abc\n[... 3 bytes left out ...]\nghi"],
  [["a", "b", "c", "d", "e", "f", "g"], "abc\n[... 1 bytes left out ...]\nefg"],
  [["abcdefghijklmnop"], "abc\n[... 10 bytes left out ...]\nnop"],
] as const)("of %j three bytes each of head and tail are kept: %j", ([chunks, text]) => {
  expect(keep(3, chunks).text).toBe(text);
});

test("a character is kept whole or not at all", () => {
  const { text } = keep(6, ["a\u20ac\u20ac\u20ac\u20ac\u20ac\u{1f600}b"]);
  expect(text).toBe("a\u20ac\n[... 9 bytes left out ...]\n\u{1f600}b");
  expect(keep(3, ["\u20ac\u20ac"]).text).toBe("\u20ac\u20ac");
});

test("however it is cut in chunks, the text is that of the whole stream", () => {
  const chunks = fc.array(fc.string({ minLength: 0, maxLength: 20 }), { maxLength: 20 });
  fc.assert(
    fc.property(chunks, fc.integer({ min: 1, max: 40 }), (parts, limit) => {
      expect(keep(limit, parts)).toEqual(keep(limit, [parts.join("")]));
    }),
  );
});

test("single bytes without end do not cost memory", () => {
  const keeper = createOutputKeeper(64 * 1024);
  const one = Buffer.from("x");
  const before = process.memoryUsage().rss;
  for (let count = 0; count < 5_000_000; count++) keeper.push(one);
  expect(keeper.bytes()).toBe(5_000_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
});
