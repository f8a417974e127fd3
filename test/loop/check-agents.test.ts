import { expect, test } from "vitest";
import { checkAgents } from "../../src/loop/check-agents.ts";
import { Config } from "../../src/model/config.ts";
import { createTestSystem } from "../support/system.ts";

const config = (agents: object) =>
  Config.parse({
    version: "1",
    task_source: { type: "prd_json", path: ".ralph/prd.json" },
    gates: { full: [{ name: "test", cmd: "true" }] },
    git: { base_branch: "main" },
    agents,
  });

const all = (settings: object) => ({
  implementation: settings,
  test_writing: settings,
  review: settings,
});

test.each([
  ["an unknown driver", all({ driver: "parrot" }), "no agent driver"],
  ["a driver without its program", all({ driver: "command" }), "no program to start"],
  [
    "a program that is not there",
    all({ driver: "command", command: "no-such-agent" }),
    "no-such-agent",
  ],
  [
    "a missing program of one role only",
    {
      review: { command: "./gone" },
      implementation: { command: "sh" },
      test_writing: { command: "sh" },
    },
    "./gone",
  ],
  [
    "a variable no agent may have",
    { ...all({ command: "sh" }), env: ["GITHUB_TOKEN"] },
    "GITHUB_TOKEN",
  ],
])("%s is named before anything is spent", async (_, agents, words) => {
  await using system = await createTestSystem();
  const place = { config: config(agents), root: system.root };
  await expect(checkAgents(system, place)).rejects.toMatchObject({
    reason: "config",
    message: expect.stringContaining(words),
  });
});

test("programs that are there are fine", async () => {
  await using system = await createTestSystem();
  await checkAgents(system, { config: config(all({ command: "sh" })), root: system.root });
});
