import { expect, test } from "vitest";
import { renderCost, renderDuration, renderStamp, renderTokens } from "../../src/text/figures.ts";

test.each([
  [850, "850 ms"],
  [4520, "4.5 s"],
  [59_940, "59.9 s"],
  [59_960, "1 min 00 s"],
  [252_000, "4 min 12 s"],
  [3_599_000, "59 min 59 s"],
  [7_500_000, "2 h 05 min"],
])("%d milliseconds read as %s", (ms, expected) => {
  expect(renderDuration(ms)).toBe(expected);
});

test("an unknown cost is not free", () => {
  expect(renderCost(undefined)).toBe("unknown");
  expect(renderCost(0.418)).toBe("$0.42");
});

test.each([
  [0, "$0.00"],
  [0.0042, "$0.0042"],
  [0.05, "$0.05"],
  [12.345, "$12.35"],
])("%d dollars read as %s", (usd, expected) => {
  expect(renderCost(usd)).toBe(expected);
});

test("tokens have thousands separators, and unreported ones are unknown", () => {
  expect(renderTokens({ input_tokens: 1_234_567, output_tokens: 950 })).toBe(
    "1,234,567 in, 950 out",
  );
  expect(renderTokens({ output_tokens: 1000 })).toBe("unknown in, 1,000 out");
  expect(renderTokens({})).toBe("-");
});

test("stamps are UTC to the second", () => {
  expect(renderStamp("2026-01-25T14:38:05.123Z")).toBe("2026-01-25 14:38:05");
});
