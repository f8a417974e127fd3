import fc from "fast-check";
import { expect, test } from "vitest";
import { createLineReader } from "../../../src/agents/drivers/stream-reader.ts";

function linesOf(chunks: readonly Uint8Array[]): string[] {
  const lines: string[] = [];
  const reader = createLineReader((line) => lines.push(line));
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  reader.finish();
  return lines;
}

test("lines are the same however the stream is cut", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\n", "\u00e9", "\u{1f600}", "\r") });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 5 }), (whole, size) => {
      const bytes = Buffer.from(whole);
      const chunks = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      expect(linesOf(chunks)).toEqual(whole.split("\n").filter((line) => line !== ""));
    }),
  );
});

test("a line that is too long is skipped whole, and the next one is read", () => {
  const piece = Buffer.alloc(1024 * 1024, "x");
  const chunks = [Buffer.from("a\n"), ...Array(5).fill(piece), Buffer.from("\nb")];
  expect(linesOf(chunks)).toEqual(["a", "b"]);
});
