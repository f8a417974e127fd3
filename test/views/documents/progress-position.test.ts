import { expect, test } from "vitest";
import { markdownLines } from "../../../src/text/markdown-lines.ts";
import {
  findInsertPosition,
  findPatterns,
  headLines,
  isOldestFirst,
} from "../../../src/views/documents/progress-position.ts";

const block = "## Codebase Patterns\n- a\n";

test.each([
  [
    "after the rule that closes the patterns",
    `# L\n---\n${block}---\n## [2026-01-01]\n`,
    "after-rule",
    "## [2026",
  ],
  ["after the first rule without patterns", "# L\n---\nrest", "after-rule", "rest"],
  ["before the first entry", `${block}\n## 2026-01-01 - x\n---\n`, "before-entry", "## 2026"],
  ["past a rule in a comment", `${block}<!--\n---\n-->\n---\nrest`, "after-rule", "rest"],
  ["at the end without any sign", "# L\ntext", "at-end", ""],
  ["at the end of nothing", "", "at-end", ""],
])("entries begin %s", (_, log, kind, next) => {
  const place = findInsertPosition(markdownLines(log));
  expect(findInsertPosition(headLines(log))).toEqual(place);
  expect(place.kind).toBe(kind);
  expect(log.slice(place.offset).startsWith(next)).toBe(true);
  if (next === "") expect(place.offset).toBe(log.length);
});

test("entries below the patterns block are not read", () => {
  const log = `# L\n${block}\n---\n${"## [2026-01-01] - T-001: x\n".repeat(3)}`;
  expect(
    headLines(log)
      .map(({ text }) => text)
      .join("|"),
  ).toBe("# L|## Codebase Patterns|- a||---");
});

test("the patterns block ends where the entries begin", () => {
  const lines = (log: string) => findPatterns(markdownLines(log))?.map(({ text }) => text);
  expect(lines(`# L\n${block}\n---\nrest`)).toEqual(["## Codebase Patterns", "- a", ""]);
  expect(lines(`${block}## [2026-01-01] - T-001: x`)).toEqual(["## Codebase Patterns", "- a"]);
  expect(lines(block)).toEqual(["## Codebase Patterns", "- a"]);
  expect(lines("# L\n")).toBeUndefined();
});

const entries = (...stamps: string[]) =>
  `# L\n${block}---\n${stamps.map((stamp) => `\n## ${stamp} - T-001: x\n\n---\n`).join("")}`;

test.each([
  ["a log without entries", entries(), false],
  ["one entry", entries("[2026-01-01 10:00:00]"), false],
  ["the newest first", entries("[2026-01-02 10:00:00]", "[2026-01-01 10:00:00]"), false],
  ["the oldest first", entries("[2026-01-01 10:00:00]", "[2026-01-02 09:00:00]"), true],
  ["the oldest first without brackets", entries("2026-01-01 10:00", "2026-01-01 10:05"), true],
  ["days without times", entries("2026-01-01", "2026-01-01", "2026-01-02"), true],
  ["a day beside a time of it", entries("2026-01-01", "2026-01-01 10:00"), false],
  [
    "a new entry on top of older ones",
    entries("2026-02-01", "2026-01-01", "2026-01-02", "2026-01-03"),
    true,
  ],
  [
    "an example in a comment",
    `<!--\n${entries("2026-01-01", "2026-01-02").replaceAll("\n---", "")}\n-->`,
    false,
  ],
])("whether a log is oldest first: %s", (_, log, isOldest) => {
  expect(isOldestFirst(log)).toBe(isOldest);
  expect(isOldestFirst(log.replaceAll("\n", "\r\n"))).toBe(isOldest);
});
