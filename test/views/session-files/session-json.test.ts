import { expect, test } from "vitest";
import type { Fact } from "../../../src/core/state/event.ts";
import { SessionFile } from "../../../src/schema/session-files/session.ts";
import { sessionJson } from "../../../src/views/session-files/session-json.ts";
import { passing, start, task } from "../../support/builders/session.ts";
import { realisticRun } from "./realistic-run.ts";

const given = { token: "ralph-20260125-143052-a7b3c9f2d1e8" };
const tasks = [task("T-001", { passes: true }), task("T-002"), task("T-003"), task("T-004")];
const render = (facts: readonly Fact[]) => sessionJson.render(realisticRun(tasks, facts), given);

test("a session under way names the current task, which is pending too", () => {
  expect(render([...passing("T-002"), start("T-003")])).toMatchInlineSnapshot(`
    "{
      "session_id": "20260125-143052-a7b3c9",
      "session_token": "ralph-20260125-143052-a7b3c9f2d1e8",
      "started_at": "2026-01-25T14:30:52.000Z",
      "task_source": ".ralph/prd.json",
      "task_source_type": "prd_json",
      "config_path": ".ralph/ralph.yml",
      "git_branch": "ralph/example",
      "git_commit": "c0c0c0c0c0c0",
      "status": "running",
      "current_task": "T-003",
      "completed_tasks": [
        "T-002"
      ],
      "pending_tasks": [
        "T-003",
        "T-004"
      ]
    }
    "
  `);
});

test("empty lists are left out", () => {
  const session = JSON.parse(render([]) ?? "");
  expect(Object.keys(session)).not.toContain("current_task");
  expect(Object.keys(session)).not.toContain("completed_tasks");
});

test("an ended session has no current task, and says when and why it ended", () => {
  const end: Fact = { type: "session_end", reason: "task_failed", message: "Failed: T-003." };
  const session = JSON.parse(render([...passing("T-002"), start("T-003"), end]) ?? "");
  expect(session).toMatchObject({
    status: "failed",
    failure_reason: "Failed: T-003.",
    total_iterations: 1,
    pending_tasks: ["T-003", "T-004"],
  });
  expect(session).not.toHaveProperty("current_task");
});

test("every state of a session validates", () => {
  const ends = ["all_done", "cancelled", "checkpoint", "tampering"] as const;
  const endings = ends.map((reason): Fact => ({ type: "session_end", reason, message: "so" }));
  for (const facts of [[], [start("T-002")], passing("T-002"), ...endings.map((end) => [end])]) {
    expect(SessionFile.safeParse(JSON.parse(render(facts) ?? "")).error).toBeUndefined();
  }
});
