import { expect, test } from "vitest";
import { warnWithoutSandbox } from "../../../src/action/checks/warn-without-sandbox.ts";
import { stepContext } from "../../support/action/step.ts";
import { createTestSystem } from "../../support/project/system.ts";
import { parseLogCommand } from "../../support/runner/log-commands.ts";

type Told = Parameters<typeof warnWithoutSandbox>[0];

async function tell(sandbox: "bubblewrap" | "off", mode: "auto" | "off", job: "all" | "run") {
  await using system = await createTestSystem();
  const context = stepContext(system, { inputs: { mode: job } });
  const state = { session: { sandbox } };
  warnWithoutSandbox({ config: { sandbox: { mode } }, journal: { state } } as Told, context);
  const lines = context.printed().split("\n").filter(Boolean);
  return { lines, commands: lines.flatMap((line) => parseLogCommand(line) ?? []) };
}

test("with the sandbox there is nothing to say", async () => {
  expect((await tell("bubblewrap", "auto", "all")).lines).toEqual([]);
});

test("without it a warning says what is not promised; where the job pushes, its token too", async () => {
  const { commands } = await tell("off", "auto", "all");
  expect(commands).toEqual([
    {
      name: "warning",
      properties: { title: "ralph: no sandbox" },
      message: expect.stringMatching(
        /other secrets.*outlives.*token this job pushes with.*bubblewrap/,
      ),
    },
  ]);
});

test("a job that works without a token has none to lose", async () => {
  const { commands } = await tell("off", "auto", "run");
  expect(commands[0]?.message).toContain("other secrets");
  expect(commands[0]?.message).not.toContain("token");
});

test("whoever switched it off is told in the log only", async () => {
  const { lines, commands } = await tell("off", "off", "all");
  expect(commands).toEqual([]);
  expect(lines[0]).toMatch(/^Agents are not shut in here\./);
});
