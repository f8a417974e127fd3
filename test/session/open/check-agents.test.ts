import { expect, test } from "vitest";
import { checkAgents } from "../../../src/session/open/check-agents.ts";
import { configWith, everyRole } from "../../support/builders/config.ts";
import { createTestSystem } from "../../support/project/system.ts";

test.each([
  ["an unknown driver", { agents: everyRole({ driver: "parrot" }) }, "no agent driver"],
  [
    "a driver without its program",
    { agents: everyRole({ driver: "command" }) },
    "no program to start",
  ],
  [
    "a program that is not there",
    { agents: everyRole({ driver: "command", command: "no-such-agent" }) },
    "no-such-agent",
  ],
  [
    "a missing program of one role only",
    { agents: { ...everyRole({ command: "sh" }), review: { command: "./gone" } } },
    "./gone",
  ],
  [
    "a variable no agent may have",
    { agents: { ...everyRole({ command: "sh" }), env: ["GITHUB_TOKEN"] } },
    "`agents.env` names GITHUB_TOKEN",
  ],
  [
    "such a variable for the sandbox",
    { agents: everyRole({ command: "sh" }), sandbox: { env: ["NODE_OPTIONS"] } },
    "`sandbox.env` names NODE_OPTIONS",
  ],
])("%s is named before anything is spent", async (_, more, words) => {
  await using system = await createTestSystem();
  const place = { config: configWith(more), root: system.root };
  await expect(checkAgents(system, place)).rejects.toMatchObject({
    reason: "config",
    message: expect.stringContaining(words),
  });
});

test("programs that are there are fine", async () => {
  await using system = await createTestSystem();
  await checkAgents(system, {
    config: configWith({ agents: everyRole({ command: "sh" }) }),
    root: system.root,
  });
});
