import { expect, test } from "vitest";
import { escapeCommitText } from "../../src/text/escape-markdown.ts";

/** What GitHub and CI systems look for in a commit message. */
const acts = [
  /\b(?:close|fixe?|resolve)[sd]? (?:[\w-]+\/[\w.-]+)?(?:#|GH-)\d/i,
  /\b(?:close|fixe?|resolve)[sd]? https:\/\/github\.com\/\S+\/issues\/\d/i,
  /(?<!\w)@\w/,
  /\[(?:skip ci|ci skip|no ci)\]|\*\*\*NO_CI\*\*\*/i,
];
const isActedOn = (text: string) => acts.some((pattern) => pattern.test(text));

test.each([
  ["Tidy; fixes #1, closes octo/other#2", "Tidy; fixes 1, closes octo/other2"],
  ["resolves GH-7", "resolves 7"],
  ["fixes https://github.com/octo/a/issues/5", "fixes github.com/octo/a/issues/5"],
  ["ask @octocat and @org/team", "ask octocat and org/team"],
  ["fast [skip ci] [CI SKIP] [no ci] ***NO_CI***", "fast (skip ci) (CI SKIP) (no ci) (NO_CI)"],
])(
  "text that a CI system or GitHub would act on is plain text, and acts as it was written: %j",
  (line, expected) => {
    expect(escapeCommitText(line)).toBe(expected);
    expect(escapeCommitText(expected)).toBe(expected);
    expect([isActedOn(line), isActedOn(expected)]).toEqual([true, false]);
  },
);

test.each(["Use C# and F#", "Mail a@example.org", "Read list[0] and [notes]", "Skip empty rows"])(
  "%j stays as it is",
  (line) => expect(escapeCommitText(line)).toBe(line),
);
