import { expect, test } from "vitest";
import { checkAgentInputs } from "../../../src/action/install/needed-programs.ts";
import { calledAgents } from "../../../src/agents/call/called-agents.ts";
import type { Config } from "../../../src/schema/config/config.ts";
import { inputsOf } from "../../support/action/step.ts";

const role = (driver: string) => ({ driver, args: [], ...(driver === "command" && own) });
const own = { command: "my-agent" };

function check(drivers: [string, string, string], given: Record<string, string>): void {
  const [implementation, test_writing, review] = drivers.map(role);
  const config = { agents: { implementation, test_writing, review } } as unknown as Config;
  const replaced = given["agent-command"];
  const env = replaced ? { RALPH_CLAUDE_CMD: replaced, RALPH_CODEX_CMD: replaced } : {};
  checkAgentInputs(inputsOf(given), calledAgents(config, env));
}

const one = ["claude", "claude", "claude"] as [string, string, string];
const two = ["claude", "claude", "codex"] as [string, string, string];
const none = ["command", "command", "command"] as [string, string, string];

test("an input for one program is accepted if the configuration calls one", () => {
  expect(() => check(one, { "agent-version": "1.0.0" })).not.toThrow();
  expect(() => check(one, { "agent-command": "x" })).not.toThrow();
  expect(() => check(["claude", "command", "claude"], { "agent-version": "1.0.0" })).not.toThrow();
  expect(() => check(two, {})).not.toThrow();
});

test.each([{ "agent-version": "1.0.0" }, { "agent-command": "x" }])(
  "%j for two programs is refused",
  (given) => {
    expect(() => check(two, given)).toThrow(/this run calls claude and codex\.$/);
  },
);

test.each([{ "agent-version": "1.0.0" }, { "agent-command": "x" }])(
  "%j is refused if the run only calls the user's own programs",
  (given) => {
    expect(() => check(none, given)).toThrow(/calls no agent program it applies to/);
  },
);

test("a version is refused for a program that a command replaces", () => {
  const given = { agent: "claude", "agent-command": "x", "agent-version": "1.0.0" };
  expect(() => check(one, given)).toThrow(/Input agent-version/);
});
