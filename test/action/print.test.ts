import { expect, test } from "vitest";
import { printTo } from "../../src/action/step.ts";
import { parseLogCommand } from "../support/runner/log-commands.ts";

function printed(act: (print: ReturnType<typeof printTo>) => void): string[] {
  let text = "";
  act(
    printTo({
      write: (chunk) => {
        text += chunk;
      },
    }),
  );
  return text.trimEnd().split("\n");
}

test.each([
  "::add-mask::x",
  "a\n::warning::x",
  "a\r::error::x",
  "\u0085::stop-commands::x",
  "text ##[add-path]/evil",
  "\u2028::set-output name=a::b",
])("a line of text (%j) is never a command (T53)", (text) => {
  const lines = printed((print) => print.line(text));
  expect(lines.flatMap((line) => line.split("\r")).map((line) => parseLogCommand(line))).toEqual(
    lines.map(() => undefined),
  );
});

test("a command is printed unchanged", () => {
  expect(printed((print) => print.command("::warning::x"))).toEqual(["::warning::x"]);
});
