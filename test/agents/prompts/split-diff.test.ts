import fc from "fast-check";
import { expect, test } from "vitest";
import { splitDiff } from "../../../src/agents/prompts/split-diff.ts";

const file = (name: string, lines: number) =>
  `diff --git a/${name} b/${name}\n${"+a line of code\n".repeat(lines)}`;

test("a diff that fits is one part, and a longer one keeps its files together", () => {
  const short = file("a", 3);
  expect(splitDiff(short, 1000)).toEqual([short]);
  const parts = splitDiff(file("a", 20) + file("b", 20) + file("c", 20), 800);
  expect(parts.map((part) => part.match(/^diff --git a\/(\w)/gm)?.length)).toEqual([2, 1]);
});

test("a long file is cut between lines, and each piece says whose it is", () => {
  const parts = splitDiff(file("long", 100), 400);
  expect(parts.length).toBeGreaterThan(4);
  for (const part of parts.slice(1))
    expect(part).toMatch(/^diff --git a\/long b\/long \(continued\)\n\+a line/);
});

test("no character of any diff is left out, and no part is too long", () => {
  const line = fc.oneof(
    fc.string(),
    fc.constant("diff --git a/x b/x"),
    fc.constant("x".repeat(500)),
  );
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 80 }),
      fc.integer({ min: 100, max: 900 }),
      (lines, limit) => {
        const diff = lines.join("\n");
        const parts = splitDiff(diff, limit);
        const whole = parts.map((part) => part.replace(/^.* \(continued\)\n/, "")).join("");
        expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(
          Math.max(limit, 1),
        );
        if (!/\(continued\)/.test(diff)) expect(whole.length).toBe(diff.length);
      },
    ),
  );
});
