import { expect, test } from "vitest";
import { outputsOf } from "../../../src/action/job/outputs.ts";
import { runWithRunner } from "../../support/action/step.ts";
import { createTestFolder } from "../../support/project/system.ts";

/** Writes outputs in a process of its own and reads them as the runner does. */
async function written(outputs: Record<string, string>): Promise<Record<string, string>> {
  await using folder = await createTestFolder();
  const source = `
    import { writeOutputs } from "$SRC/action/job/outputs.ts";
    import { readFileSync } from "node:fs";
    writeOutputs(JSON.parse(readFileSync(0, "utf8")));`;
  return runWithRunner(folder.path, source, JSON.stringify(outputs)).outputs;
}

const values: Record<string, string> = {
  empty: "",
  "a line break": "one\ntwo",
  "line breaks at both ends": "\n\none\n\n",
  "a carriage return": "one\r\ntwo\rthree",
  NUL: "one\0two",
  "an output of its own": "x\nexit-code=0\nstatus<<EOF\ncompleted\nEOF",
  "a usual delimiter": "ghadelimiter_00000000-0000-0000-0000-000000000000\nstatus=completed",
  "a command of the runner": "::set-output name=status::completed\n##[add-path]/evil",
  "other line ends": "one\u0085two\u2028three\u000bfour",
  "other signs": 'é 日本 🎉 % $(id) `id` "quoted" \\',
};

test("a value of any characters is read back as it was written (T54)", async () => {
  const outputs = { status: "failed", ...values, "exit-code": "3" };
  expect(await written(outputs)).toEqual(outputs);
});

test("a value that would cost the job all its outputs is cut", async () => {
  const outputs = await written({ branch: "x".repeat(2 ** 20), status: "completed" });
  expect(outputs.status).toBe("completed");
  expect(outputs.branch).toMatch(/^x{32767}…$/);
});

test("the figures of a session are text, and an unknown cost is empty", () => {
  const summary = {
    status: "partial",
    stop_reason: "task_failed",
    exit_code: 3,
    session_id: "20260125-143052-abc",
    tasks_completed: 0,
    tasks_total: 2,
    iterations: 4,
    cost_usd: null,
    duration_ms: 61_000,
    branch: "ralph/example",
  } as unknown as Parameters<typeof outputsOf>[0];
  expect(outputsOf(summary)).toEqual({
    status: "partial",
    "stop-reason": "task_failed",
    "exit-code": "3",
    "session-id": "20260125-143052-abc",
    "tasks-completed": "0",
    "tasks-total": "2",
    iterations: "4",
    "cost-usd": "",
    "duration-ms": "61000",
    branch: "ralph/example",
  });
  expect(outputsOf({ ...summary, cost_usd: 0.25 })["cost-usd"]).toBe("0.25");
});
