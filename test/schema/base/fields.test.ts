import { describe, expect, test } from "vitest";
import type * as z from "zod";
import {
  GitBranch,
  ModelName,
  RelativePath,
  ShortName,
  Text,
  Timestamp,
  VariableName,
  WebAddress,
} from "../../../src/schema/base/fields.ts";

describe.each<[string, z.ZodType, string[], string[]]>([
  [
    "a path inside the repository",
    RelativePath,
    [".ralph/prd.json", "./reports", "changes/CR-*.md", "a..b/c", "..a", ".github/x", "a.git"],
    [
      "",
      "/etc/passwd",
      "~/x",
      "..",
      "../x",
      "a/..",
      "a/../b",
      "a\nb",
      "a\n/../b",
      "a\0",
      "a\\b",
      ".git",
      "a/.GIT/x",
    ],
  ],
  [
    "a branch git accepts",
    GitBranch,
    ["main", "release/1.0", "feature/#12", "dev_2", "ünïcode"],
    [
      "",
      "-f",
      "/a",
      "a/",
      "a//b",
      "a..b",
      "a.lock",
      "a b",
      "a~1",
      "a^",
      "a:b",
      "a?",
      "a*",
      "a[",
      "a@{b",
      ".a",
      "a/.b",
      "a.",
    ],
  ],
  [
    "a model name",
    ModelName,
    ["haiku", "openai/gpt-5:x", "claude-opus-4-5"],
    ["", "-x", "a b", " a", "a\n", "a\u0007", "a\u001b[31m"],
  ],
  ["a text", Text, ["", "a\nb", "🙂"], ["\0", "a\0b"]],
  [
    "an address of the web",
    WebAddress,
    ["http://localhost:5173", "https://github.com/org/repo/pull/1"],
    ["", "localhost:5173", "ftp://a.b", "javascript:alert(1)", "http://"],
  ],
  [
    "a variable name",
    VariableName,
    ["A", "_a1", "ANTHROPIC_API_KEY"],
    ["", "1A", "A=1", "A-B", "A\n"],
  ],
  ["a short name", ShortName, ["pytest", "type-check_2"], ["", "A", "a/b", "a.b", "a\n"]],
  [
    "a time",
    Timestamp,
    ["2026-01-25T14:30:52Z", "2026-01-25T14:30:52.123456Z", "2026-01-25T14:30:52+02:00"],
    ["", "2026-01-25", "2026-01-25 14:30:52", "2026-13-25T14:30:52Z", "now"],
  ],
])("%s", (_, schema, good, bad) => {
  test.each(good)("may be %j", (text) => {
    expect(schema.safeParse(text).success).toBe(true);
  });

  test.each(bad)("may not be %j", (text) => {
    expect(schema.safeParse(text).success).toBe(false);
  });
});
