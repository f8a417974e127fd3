import { expect, test } from "vitest";
import { warnWithoutSandbox } from "../../../src/action/checks/checks.ts";
import { stepContext } from "../../support/action/step.ts";
import { createTestSystem } from "../../support/project/system.ts";
import { parseLogCommand } from "../../support/runner/log-commands.ts";

type Session = Parameters<typeof warnWithoutSandbox>[0];

async function tell(sandbox: "bubblewrap" | "off", mode: "auto" | "off", job: "all" | "run") {
  await using system = await createTestSystem();
  const context = stepContext(system, { inputs: { mode: job } });
  const state = { session: { sandbox } };
  warnWithoutSandbox({ config: { sandbox: { mode } }, journal: { state } } as Session, context);
  const lines = context.printed().split("\n").filter(Boolean);
  return { lines, commands: lines.flatMap((line) => parseLogCommand(line) ?? []) };
}

test("with the sandbox nothing is logged", async () => {
  expect((await tell("bubblewrap", "auto", "all")).lines).toEqual([]);
});

test("without it a warning names the risks; in a job that pushes, that of its token too", async () => {
  const { commands } = await tell("off", "auto", "all");
  expect(commands).toEqual([
    {
      name: "warning",
      properties: { title: "ralph: no sandbox" },
      message: expect.stringMatching(
        /other secrets.*token it pushes with.*programs running.*bubblewrap/,
      ),
    },
  ]);
});

test("in a job without a token the warning does not mention one", async () => {
  const { commands } = await tell("off", "auto", "run");
  expect(commands[0]?.message).toContain("other secrets");
  expect(commands[0]?.message).not.toContain("token");
});

test("a sandbox that is switched off is only logged, without a warning", async () => {
  const { lines, commands } = await tell("off", "off", "all");
  expect(commands).toEqual([]);
  expect(lines[0]).toMatch(/^No sandbox: agents can read other secrets of this job/);
});
