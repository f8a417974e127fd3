import { expect, test } from "vitest";
import { claude } from "../../../src/agents/drivers/claude.ts";
import { command } from "../../../src/agents/drivers/command.ts";
import { programOf } from "../../../src/agents/drivers/program.ts";
import { RalphError } from "../../../src/error.ts";

const variable = (text: string) => ({ RALPH_CLAUDE_CMD: text });

test.each([
  ["the driver's own program", {}, {}, ["claude"]],
  ["with arguments of the configuration", { args: ["--x"] }, {}, ["claude", "--x"]],
  ["a configured command", { command: "my-claude", args: ["--x"] }, {}, ["my-claude", "--x"]],
  [
    "the variable before all",
    { command: "my-claude" },
    variable("node mock.js"),
    ["node", "mock.js"],
  ],
  ["an empty variable", {}, variable(""), ["claude"]],
  ["a blank variable", {}, variable("  "), ["claude"]],
  ["quoted words", {}, variable(`"my agent" --name 'a b'`), ["my agent", "--name", "a b"]],
])("the program is %s", (_title, settings, env, expected) => {
  expect(programOf(claude, { args: [], ...settings }, env)).toEqual(expected);
});

test("the variable of one driver is nothing to another", () => {
  const settings = { command: "agent", args: [] };
  expect(programOf(command, settings, variable("mock"))).toEqual(["agent"]);
});

test("a driver without a program of its own needs one in the configuration", () => {
  const act = () => programOf(command, { args: [] }, {});
  expect(act).toThrow(RalphError);
  expect(act).toThrow("`command` driver has no program");
});
