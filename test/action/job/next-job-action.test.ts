import { expect, test } from "vitest";
import { nextJobAction } from "../../../src/action/job/show-outcome.ts";
import { stopReasons } from "../../../src/error.ts";
import { stepContext } from "../../support/action/step.ts";
import { createTestSystem } from "../../support/project/system.ts";

type Summary = Parameters<typeof nextJobAction>[0];

async function next(given: Partial<Summary>, inputs: Record<string, string> = {}) {
  await using system = await createTestSystem({ env: { GITHUB_RUN_ID: "77" } });
  const summary = { stop_reason: "task_failed", tasks_completed: 0, branch: "ralph/x", ...given };
  return nextJobAction(summary as Summary, stepContext(system, { inputs }));
}

test.each(Object.keys(stopReasons) as (keyof typeof stopReasons)[])(
  "after %s the text names an action, and no command for a machine that is gone",
  async (reason) => {
    const text = await next({ stop_reason: reason, tasks_completed: 1 });
    expect(text).toMatch(/\.$/);
    expect(text).not.toMatch(/ralph (?:run|status|clean)|undefined/);
    const goesOn = stopReasons[reason] !== 0 && reason !== "tampering";
    expect(text.includes("resume-from: 77")).toBe(goesOn);
  },
);

test("passed tasks are mentioned only if there are any", async () => {
  expect(await next({ tasks_completed: 1 })).toContain("Passed tasks are kept.");
  expect(await next({ tasks_completed: 0 })).not.toContain("kept");
});

test("without an artifact the text does not offer to continue", async () => {
  const text = await next({ tasks_completed: 1 }, { "session-artifact": "false" });
  expect(text).not.toContain("resume-from");
  expect(text).toMatch(/start the workflow again\.$/);
});

test("a session without a recorded end counts as a failed agent", async () => {
  expect(await next({ stop_reason: null })).toContain("the agent program's output");
});
