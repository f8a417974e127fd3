import { expect, test } from "vitest";
import { nextJobAction } from "../../../src/action/job/next-job-action.ts";
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
  "after %s there is something to do, and it is no command for a machine that is gone",
  async (reason) => {
    const text = await next({ stop_reason: reason, tasks_completed: 1 });
    expect(text).toMatch(/\.$/);
    expect(text).not.toMatch(/ralph (?:run|status|clean)|undefined/);
    const goesOn = stopReasons[reason] !== 0 && reason !== "tampering";
    expect(text.includes("resume-from: 77")).toBe(goesOn);
  },
);

test("what has passed is only said to be kept when something has", async () => {
  expect(await next({ tasks_completed: 1 })).toContain("What has passed is kept.");
  expect(await next({ tasks_completed: 0 })).not.toContain("kept");
});

test("without an artifact nobody is told to continue", async () => {
  const text = await next({ tasks_completed: 1 }, { "session-artifact": "false" });
  expect(text).not.toContain("resume-from");
  expect(text).toMatch(/start the workflow again\.$/);
});

test("a session that said nothing of its end counts as an agent that failed", async () => {
  expect(await next({ stop_reason: null })).toContain("what the agent program said");
});
