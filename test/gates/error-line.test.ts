import { expect, test } from "vitest";
import { errorLine } from "../../src/gates/fingerprint.ts";

test.each([
  ["Error: boom", "Error: boom"],
  ["at 12:30:01 fatal: no route to example.com", "at <time> fatal: no route to example.com"],
  ["cannot open /tmp/build-9f/x.json", "cannot open <temp>"],
  ["assertion failed: left == right, src/a.rs:10:9", "assertion failed: left == right, src/a.rs"],
  ["panic: index 5 out of range (0xc0ffee)", "panic: index 5 out of range (<address>)"],
])("%s", (line, text) => expect(errorLine(line)).toBe(text));

test.each([
  "compiling app",
  "2 failed, 3 passed",
  "FAILED (failures=1)",
  "Tests: 1 failed, 4 total",
  "error: Command failed with exit code 2",
  "npm ERR! Test failed. See above for more details.",
  "make[1]: *** [all] Error 2",
  " ELIFECYCLE  Command failed with exit code 1.",
])("%s names no failure", (line) => expect(errorLine(line)).toBeUndefined());
