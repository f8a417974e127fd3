import { describe, expect, test } from "vitest";
import {
  type BaseStatus,
  baseLines,
  baseObjection,
} from "../../../src/views/pull-request/pull-base.ts";

const news: BaseStatus = {
  kind: "merges",
  branch: "main",
  commit: "a".repeat(40),
  since: 3,
  conflicts: [],
};
const proved = { commit: "b".repeat(40), holds: true, red: [] };
const red = { ...proved, holds: false, red: ["gate test", "T-001 criterion 2"] };
const conflict: BaseStatus = { ...news, kind: "conflict", conflicts: ["a.ts", "b|c.ts"] };
const many = Array.from({ length: 12 }, (_, at) => `f${at}`);

describe("a base branch with new commits", () => {
  test.each<[string, BaseStatus | undefined, string[], string | undefined]>([
    ["nobody has looked", undefined, [], undefined],
    ["it has not", { ...news, kind: "current", since: 0 }, [], undefined],
    [
      "it is unknown",
      { ...news, kind: "unknown" },
      ["It is unknown whether this merges with the current `main`."],
      undefined,
    ],
    [
      "no gate ran on the merge",
      news,
      [
        "`main` has 3 new commits, up to `aaaaaaaaaaaa`. It merges without a conflict; no gate has run on the merge.",
      ],
      undefined,
    ],
    [
      "the merge is green",
      { ...news, proved, newer: 0 },
      ["Also proved on the merge with `main` at `bbbbbbbbbbbb`."],
      undefined,
    ],
    [
      "the merge was green before",
      { ...news, proved, newer: 1 },
      [
        "Also proved on the merge with `main` at `bbbbbbbbbbbb`; 1 later commit, without a conflict.",
      ],
      undefined,
    ],
    [
      "the merge is red",
      { ...news, proved: red },
      ["**Red on the merge with `main` at `bbbbbbbbbbbb`**: gate test, T-001 criterion 2."],
      "gate test, T-001 criterion 2 did not hold on the merge with main",
    ],
    [
      "there is a conflict",
      conflict,
      [
        "**Merge conflict**: `main` has 3 new commits, up to `aaaaaaaaaaaa`, and both sides changed `a.ts`, `b\\|c.ts`.",
      ],
      "it conflicts with main in a.ts, b|c.ts",
    ],
  ])("%s", (_, given, lines, why) => {
    expect(baseLines(given)).toEqual(lines);
    expect(baseObjection(given)).toBe(why);
  });

  test("names the first ten files, and how many more there are", () => {
    expect(baseObjection({ ...conflict, conflicts: many })).toMatch(/f9 and 2 more$/);
  });
});
