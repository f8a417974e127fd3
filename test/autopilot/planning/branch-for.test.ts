import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { branchFor, branchSlug, namedBranch } from "../../../src/autopilot/planning/branch-for.ts";
import { strictBranchName } from "../../../src/schema/tasks/prd.ts";

const nameFor = (suggestion: string, more: object = {}) =>
  branchFor({ suggestion, item: "Repair login", prefix: "ralph/", taken: [], ...more });

test.each([
  ["ralph/add-user-auth", "ralph/add-user-auth"],
  ["feature/Add User Auth", "ralph/add-user-auth"],
  ["fix/a/b", "ralph/a-b"],
  ["add_user.auth", "ralph/add-user-auth"],
  ["RALPH/Login", "ralph/login"],
  ["Żółw Gęślą", "ralph/zo-w-gesla"],
  ["../../etc/passwd", "ralph/etc-passwd"],
  ["$(rm -rf /)", "ralph/rm-rf"],
  ["--upload-pack=x", "ralph/upload-pack-x"],
  ["x.lock", "ralph/x-lock"],
  ["@{-1}", "ralph/1"],
  ["\u202e漢字", "ralph/repair-login"],
  ["", "ralph/repair-login"],
  ["x".repeat(300), `ralph/${"x".repeat(60)}`],
])("%j becomes %s", (suggestion, expected) => {
  expect(nameFor(suggestion)).toBe(expected);
});

test.each([
  ["the same name", ["ralph/a"], "ralph/a-2"],
  ["the same name in other letters", ["Ralph/A", "ralph/a-2"], "ralph/a-3"],
  ["a branch below it", ["ralph/a/b"], "ralph/a-2"],
])("%s gives a suffix", (_title, taken, expected) => {
  expect(nameFor("a", { taken })).toBe(expected);
});

test("a branch with the name of the prefix's folder is reported with exit 14", () => {
  expect(() => nameFor("a", { taken: ["ralph"] })).toThrow("the name of its folder");
});

test("double slashes in the prefix become one, and a prefix need not end with a slash", () => {
  expect(nameFor("a", { prefix: "ralph//x/" })).toBe("ralph/x/a");
  expect(nameFor("a", { prefix: "bot-" })).toBe("bot-a");
});

describe("for any suggestion", () => {
  const prefixes = fc.stringMatching(/^[a-z0-9][a-z0-9/-]{0,40}$/);
  const text = fc.string({ unit: "binary", maxLength: 80 });

  test("the name matches the grammar and is short enough for a task list", () => {
    fc.assert(
      fc.property(text, text, prefixes, (suggestion, item, prefix) => {
        const name = branchFor({ suggestion, item, prefix, taken: [] });
        expect(name).toMatch(strictBranchName);
        expect(name.length).toBeLessThanOrEqual(100);
        expect(branchSlug(name, prefix)).toMatch(/^[a-z0-9-]+$/);
      }),
    );
  });

  test("git accepts it", () => {
    fc.assert(
      fc.property(text, prefixes, (suggestion, prefix) => {
        const name = branchFor({ suggestion, item: "", prefix, taken: [] });
        const answer = execFileSync("git", ["check-ref-format", "--branch", name])
          .toString()
          .trim();
        expect(answer).toBe(name);
      }),
    );
  });
});

test.each(["-x", "a..b", "a b", "x.lock", "HEAD"])("a branch requested as %j is exit 1", (name) => {
  expect(() => namedBranch(name)).toThrow("cannot be a branch name");
});
