import { expect, test } from "vitest";
import { lastTextLine, outcomeOfEnd } from "../../../src/agents/drivers/outcome.ts";
import type { SupervisedEnd } from "../../../src/platform/system.ts";

const outcome = (end: SupervisedEnd, stderr = "") =>
  outcomeOfEnd({ end, stderr, stdout: "", stdoutBytes: 0, ms: 1, lingering: 0 });
const exited = (code: number): SupervisedEnd => ({ kind: "exited", code });

test.each([
  ["exit 1", exited(1), "", "agent"],
  ["exit 2 with a reason", exited(2), "bad flag", "agent"],
  ["exit 255", exited(255), "", "agent"],
  ["exit 128", exited(128), "", "agent"],
  ["not found", exited(127), "", "configuration"],
  ["not executable", exited(126), "", "configuration"],
  ["missing inside the sandbox", exited(1), "bwrap: execvp claude: No such file", "configuration"],
  ["not started", { kind: "not-started", code: "ENOENT", message: "no file" }, "", "configuration"],
  ["out of memory", exited(137), "", "infrastructure"],
  ["ended by TERM", exited(143), "", "infrastructure"],
  ["a signal", { kind: "killed", signal: "SIGSEGV" }, "", "infrastructure"],
  ["time", { kind: "timed-out" }, "", "agent"],
  ["silence", { kind: "idle" }, "", "agent"],
] satisfies [string, SupervisedEnd, string, string][])(
  "classifies %s",
  (_title, end, stderr, failureClass) => {
    expect(outcome(end, stderr)).toMatchObject({ kind: "failed", class: failureClass });
  },
);

test("a good exit is an answer, a cancel is a cancel", () => {
  expect(outcome(exited(0))).toEqual({ kind: "answered" });
  expect(outcome({ kind: "cancelled" })).toEqual({ kind: "cancelled" });
});

test("the message carries the program's last words", () => {
  const message = "it ended with exit code 1: cannot reach the model";
  expect(outcome(exited(1), "starting\ncannot reach the model.\n\n")).toMatchObject({ message });
});

test.each([
  ["", ""],
  ["one", "one"],
  ["one\ntwo\n \n", "two"],
  ["\u001b[31mred\u001b[0m", "[31mred[0m"],
  [`${"x".repeat(5000)}end`, `${"x".repeat(297)}end`],
])("the last words of %j are short and printable", (text, expected) => {
  expect(lastTextLine(text)).toBe(expected);
});
