import { expect, test } from "vitest";
import { escapeCommitText } from "../../src/text/escape-commit-text.ts";

test.each([
  ["Tidy; fixes #1, closes octo/other#2", "Tidy; fixes 1, closes octo/other2"],
  ["resolves GH-7", "resolves 7"],
  ["fixes https://github.com/octo/a/issues/5", "fixes github.com/octo/a/issues/5"],
  ["ask @octocat and @org/team", "ask octocat and org/team"],
  ["fast [skip ci] [CI SKIP] [no ci] ***NO_CI***", "fast (skip ci) (CI SKIP) (no ci) (NO_CI)"],
])("what GitHub or a CI system would act on is plain text: %j", (line, expected) => {
  expect(escapeCommitText(line)).toBe(expected);
  expect(escapeCommitText(expected)).toBe(expected);
});

test.each(["Use C# and F#", "Mail a@example.org", "Read list[0] and [notes]", "Skip empty rows"])(
  "%j stays as it is",
  (line) => expect(escapeCommitText(line)).toBe(line),
);
