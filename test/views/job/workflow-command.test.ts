import fc from "fast-check";
import { expect, test } from "vitest";
import { logText, workflowCommand } from "../../../src/views/job/workflow-command.ts";
import { hostileText } from "./hostile-text.ts";
import { runnerCommand } from "./runner-commands.ts";

test("a command is escaped by the runner's rules", () => {
  const properties = { file: "a,b:c%.ts", line: 3, col: undefined };
  expect(workflowCommand("error", "50% of\nit: a,b", properties)).toBe(
    "::error file=a%2Cb%3Ac%25.ts,line=3::50%25 of%0Ait: a,b",
  );
  expect(workflowCommand("endgroup")).toBe("::endgroup::");
});

test("whatever it carries, it stays the one command that was meant", () => {
  fc.assert(
    fc.property(hostileText, hostileText, (file, data) => {
      const line = workflowCommand("warning", data, { file, line: 7 });
      expect(line).not.toMatch(/[\n\r]/);
      expect(runnerCommand(line)).toMatchObject({ name: "warning", properties: { line: "7" } });
      expect(runnerCommand(line)?.data).not.toContain("##[");
    }),
  );
});

test.each([
  ["::error::x", "· ::error::x"],
  ["\u0085 ::error::x", "·   ::error::x"],
  ["a ##[error]x", "a ## [error]x"],
  ["#\u034f#[error]x", "## [error]x"],
  ["a\r::error::x", "a ::error::x"],
  ["std::vec::Vec", "std::vec::Vec"],
])("%j becomes the text %j", (line, expected) => {
  expect(logText(line)).toBe(expected);
});

test("a runner executes no line of text", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(runnerCommand(logText(text))).toBeUndefined();
      expect(logText(text)).not.toMatch(/[\n\r\u0085\u2028\u2029]/);
    }),
  );
});

test("the reader of the tests knows both grammars", () => {
  expect(runnerCommand(" ::Error file=a%2Cb::x%0Ay")).toEqual({
    name: "Error",
    properties: { file: "a,b" },
    data: "x\ny",
  });
  expect(runnerCommand("say ##[add-mask]x")?.name).toBe("add-mask");
  expect(runnerCommand("::not-a-command::")).toBeUndefined();
});
