import { describe, expect, test } from "vitest";
import { claude } from "../../src/agents/claude.ts";
import type { AgentCall } from "../../src/agents/driver.ts";
import { agentProgram, testDriver } from "../support/driver-contract.ts";

const call = (more: Partial<AgentCall> = {}): AgentCall => ({
  role: "implementation",
  program: ["claude"],
  model: undefined,
  allowedTools: [],
  readOnly: false,
  timeoutMs: 1000,
  ...more,
});
const argsOf = (more: Partial<AgentCall>) => claude.command(call(more)).args.join(" ");

describe("the claude driver", () => {
  testDriver(claude, { programFor: agentProgram, missing: ["no-such-program-anywhere"] });

  test("asks for events on stdout and skips permission prompts for a free role", () => {
    expect(claude.command(call({ model: "opus" }))).toEqual({
      file: "claude",
      args: [
        "--print",
        "--output-format",
        "stream-json",
        "--verbose",
        "--model",
        "opus",
        "--dangerously-skip-permissions",
      ],
    });
  });

  test.each([
    ["a reader without a list", { readOnly: true }],
    ["a reader with a list", { readOnly: true, allowedTools: ["Read", "Bash(git log:*)"] }],
    ["a writer with a list", { allowedTools: ["Read", "Write"] }],
  ])("never skips permissions for %s", (_title, more) => {
    expect(argsOf(more)).not.toContain("skip-permissions");
    expect(argsOf(more)).toContain("--allowedTools");
  });

  test.each([
    [
      "nothing listed",
      [],
      "--allowedTools Read,Glob,LS,Grep --disallowedTools Bash,Edit,Write,NotebookEdit",
    ],
    [
      "one command listed",
      ["Read", "Bash(git log:*)"],
      "--allowedTools Read,Bash(git log:*) --disallowedTools Edit,Write,NotebookEdit",
    ],
  ])("offers a reader no writing tool it was not given: %s", (_title, allowedTools, expected) => {
    expect(argsOf({ readOnly: true, allowedTools })).toContain(expected);
  });

  test("keeps the arguments of the configured program before its own", () => {
    const { file, args } = claude.command(call({ program: ["wrapper", "--account", "ci"] }));
    expect(file).toBe("wrapper");
    expect(args.slice(0, 3)).toEqual(["--account", "ci", "--print"]);
  });
});
