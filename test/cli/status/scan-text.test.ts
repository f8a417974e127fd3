import { expect, test } from "vitest";
import { renderConclusion, renderResult } from "../../../src/cli/status/scan.ts";
import type { CheckStatus } from "../../../src/scan/check.ts";

const same = (text: string) => text;
const style = { good: same, bad: same, wait: same, plain: same, faint: same };
const results = (...statuses: CheckStatus[]) =>
  statuses.map((status) => ({ name: "git", status, message: "x" }));

test("a result shows its symbol, name and message, with details below", () => {
  const result = {
    name: "tools",
    status: "error" as const,
    message: "not there:\n  x\u001b[31m",
    remedy: "Install it.",
  };
  expect(renderResult(result, { style, fixes: ["brew install x"] })).toBe(
    "✗ tools: not there:\n      x\n    Install it.\n    Fix: brew install x",
  );
});

test.each<[CheckStatus[], RegExp]>([
  [["pass", "skipped"], /^Ready: 1 passed, 0 warnings, 0 errors, 1 skipped\.$/],
  [["pass", "warning"], /^All requirements are met; see the warnings: /],
  [["warning", "error"], /^A run cannot start yet: 0 passed, 1 warning, 1 error, /],
])("%j ends honestly", (statuses, says) => {
  const whole = { isWhole: true };
  expect(renderConclusion(results(...statuses), { isCancelled: false, ...whole })).toMatch(says);
  expect(renderConclusion(results(...statuses), { isCancelled: true, ...whole })).toMatch(
    /^Cancelled: /,
  );
});

test("a part of the checks is never called ready", () => {
  const part = { isCancelled: false, isWhole: false };
  expect(renderConclusion(results("pass"), part)).toMatch(/^No problem in these checks: 1 passed/);
});
