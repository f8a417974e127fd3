import { expect, test } from "vitest";
import { decodeText } from "../../src/sources/decode-text.ts";

const decode = (bytes: Uint8Array) => decodeText({ bytes, file: "a.json", maxBytes: 100 });

test("UTF-8 text stays as it is, line ends included", () => {
  const text = "Zażółć – 🙂\r\n\ttail\n";
  expect(decode(Buffer.from(text))).toEqual({ kind: "decoded", text });
});

test.each<[string, Uint8Array, RegExp, number]>([
  ["nothing", Buffer.alloc(0), /is empty.*git checkout/, 1],
  ["white space", Buffer.from(" \n\t"), /is empty/, 1],
  ["more than the cap", Buffer.alloc(101, "x"), /has 101 bytes; at most 100/, 1],
  ["a byte order mark", Buffer.from("\ufeff{}"), /byte order mark/, 1],
  ["UTF-16", Buffer.from("\ufeff{}", "utf16le"), /UTF-16/, 1],
  ["UTF-16 without its mark", Buffer.from("version: 1\n", "utf16le"), /UTF-16/, 1],
  ["NUL bytes", Buffer.from("a\nb\0\0"), /NUL bytes/, 2],
  ["only NUL bytes", Buffer.alloc(8), /NUL bytes/, 1],
  ["Latin-1", Buffer.from("one\ncaf\xe9", "latin1"), /not UTF-8/, 2],
  ["a cut character", Buffer.from("🙂").subarray(0, 2), /not UTF-8/, 1],
])("%s is refused with the place", (_, bytes, message, line) => {
  const result = decode(bytes);
  const [problem] = result.kind === "refused" ? result.problems : [];
  expect(problem).toMatchObject({ file: "a.json", message: expect.stringMatching(message) });
  expect(problem?.line).toBe(line);
});
