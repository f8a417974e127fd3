import { describe, expect, test } from "vitest";
import { claude } from "../../../src/agents/drivers/claude.ts";
import type { AgentCall } from "../../../src/agents/drivers/driver.ts";
import { agentProgram, exit, testDriver, testStreams } from "../../support/contracts/driver.ts";

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

  testStreams(claude, {
    folder: "claude",
    good: "skip-root-sandbox",
    cases: [
      ["401-r2", exit(1), "configuration", "Invalid API key"],
      ["403", exit(1), "configuration", "Failed to authenticate"],
      ["not-logged-in", exit(1), "configuration", "Please run /login"],
      ["credit", exit(1), "configuration", "Credit balance is too low"],
      ["nomodel", exit(1), "configuration", "claude-opus-5-5"],
      ["401", { kind: "timed-out" }, "configuration", "authentication_failed"],
      ["429-r1", exit(1), "limited", "(429)"],
      ["500-r1", exit(1), "infrastructure", "500"],
      ["529-r1", exit(1), "infrastructure", "529"],
      ["cut-r1", exit(1), "infrastructure", "ECONNRESET"],
      ["refused-port", exit(1), "infrastructure", "ECONNREFUSED"],
      ["400", exit(1), "agent", "single-exchange"],
      ["maxtok", exit(1), "agent", "output token maximum"],
      ["refusal", exit(1), "agent", ""],
      ["max-turns", exit(1), "agent", "Reached maximum number of turns (2)"],
      ["budget", exit(1), "agent", "Reached maximum budget ($0.1)"],
      ["hang", { kind: "idle" }, "agent", "silent"],
      ["hang", { kind: "killed", signal: "SIGKILL" }, "infrastructure", "SIGKILL"],
      ["hang", exit(143), "infrastructure", "signal 15"],
    ],
  });

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
    ["a test writer without a list", { role: "test_writing" as const }],
  ])("never skips permissions for %s", (_title, more) => {
    expect(argsOf(more)).not.toContain("skip-permissions");
    expect(argsOf(more)).toContain("--allowedTools");
  });

  test.each([
    [
      "nothing listed",
      [],
      "--tools Read,Glob,LS,Grep --allowedTools Read,Glob,LS,Grep --disallowedTools Bash,Edit,Write,NotebookEdit --permission-mode dontAsk --strict-mcp-config --setting-sources ",
    ],
    [
      "one command listed",
      ["Read", "Bash(git log:*)"],
      "--tools Read,Bash --allowedTools Read,Bash(git log:*) --disallowedTools Edit,Write,NotebookEdit --permission-mode dontAsk --strict-mcp-config --setting-sources ",
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
