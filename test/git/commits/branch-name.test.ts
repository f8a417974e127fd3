import { spawnSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { branchNameProblem } from "../../../src/git/commits/branch-name.ts";

test.each(["main", "ralph/add-login", "Feature/ÄÖ_1.2", "a", "x/y/z", "@a", "a@b", "a-"])(
  "%j is a branch name",
  (name) => {
    expect(branchNameProblem(name)).toBeUndefined();
  },
);

test.each([
  "",
  "-x",
  "--upload-pack=x",
  "/a",
  "a/",
  "a//b",
  ".a",
  "a/.b",
  "a..b",
  "a.lock",
  "a.lock/b",
  "a@{1}",
  "@",
  "@{-1}",
  "HEAD",
  "refs/heads/x",
  "a b",
  "a\nb",
  "a\0b",
  "a~b",
  "a^b",
  "a:b",
  "a?b",
  "a*b",
  "a[b",
  "a\\b",
  "a.",
  "\ud800",
  "x".repeat(300),
])("%j is refused (T42)", (name) => {
  expect(branchNameProblem(name)).toBeTypeOf("string");
});

const part = fc.oneof(
  fc.constantFrom("", ".", "..", "-", "@", "@{", "{", ".lock", "HEAD", "refs", "heads", "/", "//"),
  fc.constantFrom("~", "^", ":", "?", "*", "[", "\\", " ", "\t", "\u007f", "é", "\u202e"),
  fc.string({ unit: "binary", minLength: 1, maxLength: 3 }),
  fc.constantFrom("a", "b", "ralph", "main", "x-1"),
);
const candidate = fc
  .array(part, { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(""))
  .filter((name) => !name.includes("\0"));

/** Those of the names git itself refuses; one shell for all of them. */
function refusedByGit(names: string[]): string[] {
  const loop =
    'while IFS= read -r name; do git check-ref-format --branch "$name" >/dev/null 2>&1 || printf "%s\\n" "$name"; done';
  const input = names.map((name) => `${name}\n`).join("");
  const { stdout } = spawnSync("sh", ["-c", loop], { input, cwd: "/" });
  return stdout.toString().split("\n").slice(0, -1);
}

test("no accepted name is one git refuses", () => {
  expect(refusedByGit(["main", "a..b", "-x"])).toEqual(["a..b", "-x"]);
  const names = fc.sample(candidate, 10_000);
  const accepted = new Set(names.filter((name) => branchNameProblem(name) === undefined));
  expect(accepted.size).toBeGreaterThan(300);
  expect(refusedByGit([...accepted].slice(0, 400))).toEqual([]);
});
