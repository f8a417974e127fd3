import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import type { Fact } from "../../../src/core/state/event.ts";
import type { SessionState } from "../../../src/core/state/session-state.ts";
import { agentTeams } from "../../../src/dialects/agent-teams/agent-teams.ts";
import { TeamFailures } from "../../../src/dialects/agent-teams/schema/failures.ts";
import { TeamMetrics } from "../../../src/dialects/agent-teams/schema/metrics.ts";
import { completionLine } from "../../../src/dialects/agent-teams/team-run.ts";
import { configWith } from "../../support/builders/config.ts";
import { failed, gateEnd, passing, runOf, start, task } from "../../support/builders/session.ts";
import { everyFact } from "../../views/session-files/every-fact.ts";
import { realisticEvents } from "../../views/session-files/realistic-run.ts";

const tasks = [task("T-001"), task("T-002"), task("T-003")];
const given = {
  config: configWith({}),
  root: "/project",
  process: { pid: 1, startTicks: 1, platform: "linux" },
};

function shown(state: SessionState, before: Record<string, string> = {}): Record<string, string> {
  const files = { ...before };
  for (const file of agentTeams.render(state, given)) {
    const text = "text" in file ? file.text : file.merge(files[file.path]);
    if (typeof text === "string") files[file.path] = text;
  }
  return files;
}

const failures = (state: SessionState) => JSON.parse(shown(state)[".ralph/failures.json"] ?? "");
const metrics = (state: SessionState) => JSON.parse(shown(state)[".ralph/metrics.json"] ?? "");

const red = (id: string) => [
  gateEnd(id, { status: "failed", detail: "3 failed" }),
  failed(id, "gate", { feedback: 'Gate "test" failed.\n3 tests failing', fingerprint: "test\na" }),
];

test("each failed iteration counts, and a pass closes the breaker", () => {
  const first: Fact[] = [start("T-001"), ...red("T-001"), ...red("T-001")];
  expect(failures(runOf(tasks, first))).toEqual({
    "agent-1": {
      consecutive_failures: 2,
      last_failure: 'Gate "test" failed. 3 tests failing',
      total_failures: 2,
      total_successes: 0,
    },
  });
  const then = [...first, ...passing("T-001").slice(1)];
  expect(failures(runOf(tasks, then))["agent-1"]).toMatchObject({
    consecutive_failures: 0,
    total_failures: 2,
    total_successes: 1,
  });
  const again = [...then, start("T-002"), ...red("T-002")];
  expect(failures(runOf(tasks, again))["agent-1"]).toMatchObject({
    consecutive_failures: 1,
    total_failures: 3,
    total_successes: 1,
  });
});

test("figures count tasks of the list and results of gates", () => {
  const state = runOf(tasks, [start("T-001"), ...red("T-001"), ...passing("T-001").slice(1)]);
  expect(metrics(state)).toEqual({
    tasks_completed: 1,
    tasks_failed: 0,
    tasks_pending: 2,
    gates_passed: 1,
    gates_failed: 1,
    last_updated: "2026-01-25T14:31:01.000Z",
  });
  expect(completionLine(state)).toBe(
    "1 tasks completadas. 0 failed, 2 pending, gates 1 passed and 1 failed.",
  );
});

test("at every step of a session the files are those of the specification", () => {
  let before: Record<string, string> = {};
  for (const { state } of realisticEvents(tasks, everyFact)) {
    before = shown(state, before);
    TeamFailures.parse(JSON.parse(before[".ralph/failures.json"] ?? ""));
    const { tasks_completed, tasks_failed, tasks_pending } = TeamMetrics.parse(
      JSON.parse(before[".ralph/metrics.json"] ?? ""),
    );
    expect(tasks_completed + tasks_failed + tasks_pending).toBe(tasks.length);
  }
  expect(before[".ralph/blockers.md"]).toContain("### Blocker: T-003 Title of T-003");
});

test("others' counters and unknown keys stay, the other shape's figures give way", () => {
  const files = shown(runOf(tasks), {
    ".ralph/failures.json": '{"mate":2,"_updated_at":"x"}',
    ".ralph/metrics.json": '{"total_tasks":9,"per_teammate":{"mate":{"completed":3}}}',
  });
  expect(JSON.parse(files[".ralph/failures.json"] ?? "")).toMatchObject({
    mate: 2,
    _updated_at: "x",
    "agent-1": { consecutive_failures: 0, last_failure: null },
  });
  const figures = JSON.parse(files[".ralph/metrics.json"] ?? "");
  expect(figures).toMatchObject({ per_teammate: { mate: { completed: 3 } }, tasks_pending: 3 });
  expect(figures.total_tasks).toBeUndefined();
});

test("an invalid file is left as it is", () => {
  const broken = { ".ralph/failures.json": "{", ".ralph/metrics.json": '{"tasks_failed":-1}' };
  expect(shown(runOf(tasks), broken)).toEqual(broken);
});

const blocked: Fact[] = [
  start("T-001"),
  ...red("T-001"),
  { type: "task_blocked", task: "T-001", message: "The same failure twice", kept: "f".repeat(40) },
];

test("a blocked task is documented once, and resolved when it passes after all", () => {
  const first = shown(runOf(tasks, blocked));
  expect(first[".ralph/blockers.md"]).toMatchInlineSnapshot(`
    "# Blockers

    What keeps tasks from being completed, and how it was overcome.

    ## Active Blockers

    ### Blocker: T-001 Title of T-001
    - **Timestamp:** 2026-01-25T14:30:56.000Z
    - **Type:** test_failure
    - **Task:** T-001
    - **Details:** The same failure twice: Gate "test" failed. 3 tests failing
    - **Attempted Resolution:** 1 iteration of implementation, tests and review. Its work is kept as the git tree ffffffffffff.
    - **Suggested Action:** Look at the details, change the task or the project, then run \`ralph run --resume\`.

    ## Resolved Blockers
    "
  `);
  expect(shown(runOf(tasks, blocked), first)).toEqual(first);
  const resumed: Fact[] = [{ type: "session_resume", sandbox: "off" }, ...passing("T-001")];
  const text = shown(runOf(tasks, [...blocked, ...resumed]), first)[".ralph/blockers.md"] ?? "";
  const [active = "", resolved = ""] = text.split("## Resolved Blockers");
  expect(active).not.toContain("T-001");
  expect(resolved).toContain("### [RESOLVED] Blocker: T-001 Title of T-001");
  expect(resolved).toContain("- **Resolved:** 2026-01-25T14:");
});

const reader = `
import json, sys
files = json.load(sys.stdin)
failures, metrics = json.loads(files["f"]), json.loads(files["m"])
opened = [n for n, r in failures.items() if r["consecutive_failures"] >= 3]
total = metrics["tasks_completed"] + metrics["tasks_failed"]
rate = metrics["tasks_completed"] / total if total else None
print(json.dumps([opened, rate, metrics["last_updated"].endswith("Z")]))
`;

const hasPython = (() => {
  try {
    execFileSync("python3", ["--version"]);
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!hasPython)("a program in Python that knows the specification alone reads them", () => {
  const facts = [start("T-001"), ...red("T-001"), ...red("T-001"), ...red("T-001")];
  const files = shown(runOf(tasks, [...passing("T-002"), ...facts]));
  const input = JSON.stringify({
    f: files[".ralph/failures.json"],
    m: files[".ralph/metrics.json"],
  });
  const answer = execFileSync("python3", ["-c", reader], { input }).toString();
  expect(JSON.parse(answer)).toEqual([["agent-1"], 1, true]);
});
