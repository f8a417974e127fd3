import { expect, test } from "vitest";
import { calledAgents } from "../../../src/agents/call/called-agents.ts";
import { configWith, everyRole } from "../../support/builders/config.ts";

/** Who is called, as `roles: program model`. */
const called = (agents: object, env = {}) =>
  calledAgents(configWith({ agents }), env).map(({ roles, program, model }) =>
    [`${roles.join(" ")}: ${program.join(" ")}`, model].filter(Boolean).join(" "),
  );

test("roles that call the same way are called once", () => {
  expect(called({})).toEqual(["implementation test_writing review: claude"]);
});

test("another program, argument or model is another call", () => {
  const agents = {
    implementation: { model: "opus" },
    test_writing: { args: ["--fast"] },
    review: { driver: "codex" },
  };
  expect(called(agents)).toEqual([
    "implementation: claude opus",
    "test_writing: claude --fast",
    "review: codex",
  ]);
});

test("a driver's variable replaces the program of its roles only", () => {
  const agents = { review: { driver: "codex" } };
  expect(called(agents, { RALPH_CODEX_CMD: "mock --codex" })).toEqual([
    "implementation test_writing: claude",
    "review: mock --codex",
  ]);
});

test("of a driver that starts one of ralph's players needs that player", () => {
  const agents = everyRole({ driver: "scripted", command: "play.yml" });
  expect(calledAgents(configWith({ agents }), {})).toMatchObject([
    { program: ["play.yml"], file: process.execPath },
  ]);
});
