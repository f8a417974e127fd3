import { expect, test } from "vitest";
import { keepText } from "../../../src/github/pulls/keep-text.ts";

const marker = (run: string) => `<!-- ralph:run:${run} item:- report:- -->`;
const [one, two] = ["20260102-030405-aaaaaa", "20260103-030405-bbbbbb"];
const text = (passed: number, run: string, tasks = "| T-001 | passed |") =>
  `**${passed} of 2 tasks passed** in 2 iterations, 3 s, $0.10.\n\n${tasks}\n\n${marker(run)}\n`;

test("the same run replaces its text and keeps what people wrote above and below it", () => {
  const old = `Please review slowly.\n\n${text(1, one)}\n@ada: see also #7\n`;
  const now = keepText(old.replaceAll("\n", "\r\n"), text(2, one));
  expect(now).toBe(`Please review slowly.\n\n${text(2, one)}\n@ada: see also #7\n`);
  expect(keepText(now, text(2, one))).toBe(now);
});

test("another run keeps text and marker of the first, and adds a section of its own once", () => {
  const old = `${text(2, one)}\nA maintainer's line.\n`;
  const now = keepText(old, text(1, two, "| R-001 | passed |"));
  expect(now).toContain(old.trimEnd());
  expect(now.match(/ralph:run:/g)).toHaveLength(1);
  expect(now).toContain("| R-001 | passed |");
  const again = keepText(now, text(2, two, "| R-001 | passed |"));
  expect(again.match(/## A further session/g)).toHaveLength(1);
  expect(again).toContain("A maintainer's line.");
  expect(again).toContain("**2 of 2 tasks passed** in 2 iterations, 3 s, $0.10.\n\n| R-001");
});

test("a text too long for GitHub loses the new section's details, never the old text", () => {
  const old = text(2, one, "x".repeat(40_000));
  const now = keepText(old, text(1, two, "y".repeat(40_000)));
  expect(Buffer.byteLength(now)).toBeLessThanOrEqual(65_536);
  expect(now).toContain("x".repeat(40_000));
  expect(now).toContain("**1 of 2 tasks passed**");
});

test("a text without a marker is replaced", () => {
  expect(keepText("Something else.", text(1, one))).toBe(text(1, one));
});
