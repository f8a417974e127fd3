import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runAgent } from "../../../src/agents/call/run-agent.ts";
import { scripted } from "../../../src/agents/drivers/scripted.ts";
import { readSignal } from "../../../src/core/checks/signal.ts";
import {
  type Behaviour,
  depsOf,
  requestOf,
  testDriver,
  token,
} from "../../support/contracts/driver.ts";
import { createTestSystem } from "../../support/project/system.ts";

const performances: Record<Behaviour, object> = {
  done: {
    do: [{ append: { path: "src/T-001.txt", text: "work\n" } }],
    say: "{done}",
    sections: { Changes: "- work" },
  },
  noop: {},
  hang: { do: [{ sleep: 60_000 }] },
  limit: { do: [{ say: "You've hit your limit · resets 9pm (UTC)" }, { exit: 1 }] },
  "exit-1": { do: [{ exit: 1 }] },
  killed: { do: [{ crash: true }] },
};

async function write(folder: string, scenario: object) {
  const path = join(folder, "scenario.json");
  await writeFile(path, JSON.stringify(scenario));
  return [path] as const;
}

async function play(scenario: object, attempt = 1) {
  await using system = await createTestSystem();
  const program = await write(system.root, scenario);
  const identity = { taskId: "T-001", attempt, sessionDir: system.root };
  const request = requestOf(system, { driver: scripted, program, identity });
  const result = await runAgent(depsOf(system), request);
  const tree = await system.files(system.root).list(".");
  return { ...result, tree };
}

describe("the scripted driver", () => {
  testDriver(scripted, {
    programFor: (behaviour, folder) =>
      write(folder, { defaults: { implementation: performances[behaviour] } }),
    missing: ["no-such-scenario.yml"],
  });

  test("prints events with cost when the scenario wants them", async () => {
    const { finalMessage, usage, output } = await play({
      stream: true,
      calls: [{ do: [{ say: "Reading." }], say: "{done}", cost_usd: 0.25, turns: 3 }],
    });
    expect(usage).toEqual({ cost_usd: 0.25, turns: 3 });
    expect(output).toContain("Reading.");
    const reading = readSignal(finalMessage, { role: "implementation", token });
    expect(reading).toMatchObject({ kind: "valid", body: "" });
  });

  test("takes every step in the work tree", async () => {
    const { tree } = await play({
      calls: [
        {
          do: [
            { write: { path: "a.txt", text: "a" } },
            { write: { path: "b.txt", text: "b" } },
            { remove: "a.txt" },
            { run: 'printf %s "$RALPH_TASK_ID" > c.txt' },
          ],
        },
      ],
    });
    expect(tree.filter((name) => name !== ".homes")).toEqual(["b.txt", "c.txt", "scenario.json"]);
  });

  test("plays the next call at the next attempt", async () => {
    const scenario = { calls: [{ say: "first" }, { say: "second" }] };
    expect((await play(scenario, 2)).finalMessage).toBe("second\n");
  });

  test.each([
    ["an unknown step", { calls: [{ do: [{ dance: 1 }] }] }, "calls[0].do[0]"],
    ["nothing for the call", { calls: [{ task: "T-009" }] }, "no call for implementation of T-001"],
  ])("says what is wrong with a scenario that has %s", async (_title, scenario, words) => {
    const { outcome, output } = await play(scenario);
    expect(outcome).toMatchObject({ kind: "failed", class: "configuration" });
    expect(output).toContain(words);
  });
});
