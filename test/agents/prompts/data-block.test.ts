import fc from "fast-check";
import { expect, test } from "vitest";
import { renderData, renderLine } from "../../../src/agents/prompts/data-block.ts";

const fence = { boundary: "0123456789abcdef", token: "ralph-20260125-143052-a7b3c9" };

test("a block shows its text between two marks", () => {
  expect(renderData({ label: "notes", text: "a\n\tb\n", maxLength: 100 }, fence)).toBe(
    "[data 0123456789abcdef notes]\na\n\tb\n\n[end of 0123456789abcdef notes]",
  );
});

test("a long text keeps its ends and counts the missing characters", () => {
  const text = `${"a".repeat(1000)}${"b".repeat(1000)}`;
  const block = renderData({ label: "log", text, maxLength: 30 }, fence);
  expect(block).toContain(
    `${"a".repeat(20)}\n[... 1970 characters left out ...]\n${"b".repeat(10)}`,
  );
});

const pieces = fc.constantFrom(
  fence.boundary,
  fence.boundary.slice(0, 8),
  fence.boundary.slice(8),
  fence.token,
  fence.token.slice(0, 10),
  fence.token.slice(10),
  "[data ",
  "[end of ",
  "{{boundary}}",
  "\n",
  "\u001b[2J",
  "\ud800",
);
const texts = fc
  .array(fc.oneof(pieces, fc.string({ unit: "binary" })), { maxLength: 30 })
  .map((parts) => parts.join(""));

test("no text can contain the boundary or the token, or hold control characters", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 10, max: 200 }), (text, maxLength) => {
      const block = renderData({ label: "x", text, maxLength }, fence);
      expect(block.split(fence.boundary)).toHaveLength(3);
      expect(block).not.toContain(fence.token);
      expect(block).not.toMatch(/[^\P{Cc}\n\t]/u);
      expect(block.isWellFormed()).toBe(true);
    }),
  );
});

test("lines are cleaned too", () => {
  expect(renderLine(`a\n# b\r\n ${fence.token}`, fence)).toBe("a # b (session token)");
});

test("characters that cannot be seen, or turn the direction of text, are shown as escapes (T11)", () => {
  const text = "if (a\u202e) {\u200b} \u{e0041}";
  const block = renderData({ label: "diff", text, maxLength: 100 }, fence);
  expect(block).toContain("if (a\\u{202e}) {\\u{200b}} \\u{e0041}");
  expect(renderLine(text, fence)).not.toMatch(/\p{Cf}/u);
});
