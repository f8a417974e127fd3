import { describe, expect, test } from "vitest";
import { runAgent } from "../../../src/agents/call/run-agent.ts";
import { command } from "../../../src/agents/drivers/command.ts";
import {
  agentProgram,
  depsOf,
  prompt,
  requestOf,
  testDriver,
} from "../../support/contracts/driver.ts";
import { createTestSystem } from "../../support/project/system.ts";

describe("the command driver", () => {
  testDriver(command, { programFor: agentProgram, missing: ["no-such-program-anywhere"] });

  test("takes all of stdout for the answer", async () => {
    await using system = await createTestSystem();
    const request = requestOf(system, { driver: command, program: agentProgram("echo") });
    const { finalMessage } = await runAgent(depsOf(system), request);
    expect(finalMessage).toBe(`${prompt}\n`);
  });
});
