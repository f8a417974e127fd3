import fc from "fast-check";
import { expect, test } from "vitest";
import { createActionLog, quoteOutput } from "../../../src/views/job/action-log.ts";
import type { Level } from "../../../src/views/terminal/line-marks.ts";
import type { TerminalStyle } from "../../../src/views/terminal/terminal.ts";
import { agentEnd, failed, start, task } from "../../support/builders/session.ts";
import { everyFact } from "../session-files/every-fact.ts";
import { realisticEvents } from "../session-files/realistic-run.ts";
import { hostileText } from "./hostile-text.ts";
import { runnerCommand } from "./runner-commands.ts";

const same = (text: string) => text;
const style: TerminalStyle = { good: same, bad: same, wait: same, plain: same, faint: same };
const all = realisticEvents([task("T-001"), task("T-002"), task("T-003")], everyFact);

function logOf(events: typeof all, level: Level = "normal"): string[] {
  const log = createActionLog({ level, style });
  return [...events.flatMap(({ event, state }) => log.take(event, state)), ...log.close()];
}

test("each task is a group that ends with it, and its outcome follows the group", () => {
  expect(logOf(all).join("\n")).toMatchInlineSnapshot(`
    "· session 20260125-143052-a7b3c9 on ralph/example: 3 tasks
    ✓ setup install passed, 1.2 s
    ::group::T-001 Title of T-001
    · T-001 implementation started, iteration 1 (claude opus)
    ✗ T-001 implementation failed (infrastructure: exit code 1), 1.0 s
    … the agent failed; waiting 2.0 s, until 2026-01-25 15:00:00 UTC
    ✗ T-001 implementation limited (limit reached), 1.0 s
    … the agent is rate limited; waiting 29 min 00 s, until 2026-01-25 15:00:00 UTC
    ✓ T-001 implementation answered (task-done), 4 min 12 s, $0.25, reverted: .github/workflows/ci.yml
    ✗ T-001 test_writing answered (signal wrong-token), 1.0 s
    ✓ T-001 gate types (build) passed, 4.5 s
    ✗ T-001 gate test (full) failed, 10 ms: 2 of 14 tests failed
    · gate test on the start commit: passed
    ✗ T-001 retry, gate: test failed:
    ✗ T-001 criteria proved 0/1, 1 failed
    ✓ T-001 subtask T-001.1 passed
    · work kept as tree f1f1f1f1f1f1
    · command: budget of $5.00 by ada
    ! Warning: There is no T-9.
    ::endgroup::
    · session 20260125-143052-a7b3c9 resumed at c0c0c0c0c0c0
    ✓ c0c0c0c0c0c0 checked again: it holds
    ::group::T-001 Title of T-001
    ✓ T-001 implementation answered (task-done), 1.0 s
    ✓ T-001 test_writing answered (tests-done), 1.0 s
    ✓ T-001 gate test (full) passed, 10 ms
    ✓ T-001 criteria proved 0/1, 1 for the review
    ✓ T-001 review answered (review-approved), 1.0 s
    ::endgroup::
    ✓ T-001 passed as c1c1c1c1c1c1, 3 iterations, $0.25
    ::group::T-002 Title of T-002
    ::endgroup::
    ✗ T-002 failed: No pass in 5 iterations
    ::group::T-003 Title of T-003
    · T-003 work kept as tree f3f3f3f3f3f3
    ::endgroup::
    ✗ T-003 blocked: No change in 3 iterations
    ✗ c1c1c1c1c1c1 no longer holds: gate test
    ✗ dashboard: the page has no "Save" after 5 s; nearest: button "Send" (artifacts/screenshots/003-dashboard.png)
    · fix 1 of 10 for browser: plan, then repair
    · planning started (claude opus)
    ✓ planning answered (plan), 9.0 s, $0.05
    ✓ fix answered (fix-done), 9.0 s, $0.10, reverted: tests/a.test.ts
    · with the repair: gates passed: test; criteria hold: 1 of 2; not judged again: 1
    · the repair stays: Verified: services, browser.
    ✓ fix committed as f1f1f1f1f1f1
    ! Warning: no fatal gate ran
    ✗ tampering: task-status.json was changed"
  `);
});

test("a quiet log opens no group", () => {
  expect(logOf(all, "quiet").map(runnerCommand)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("side by side, no group is opened: each line names its task", () => {
  const claim = (id: string, worker: string) =>
    ({ type: "task_claimed", task: id, worker, base: "c0" }) as const;
  const facts = [
    ...[claim("T-001", "agent-1"), start("T-001"), claim("T-002", "agent-2"), start("T-002")],
    ...[agentEnd("T-002"), agentEnd("T-001"), failed("T-002", "gate")],
  ];
  const lines = logOf(realisticEvents([task("T-001"), task("T-002")], facts));
  expect(lines.map(runnerCommand).filter(Boolean)).toEqual([]);
  expect(lines.slice(1).every((line) => /T-00[12] /.test(line))).toBe(true);
});

test("a session that just stops leaves no group open", () => {
  const half = realisticEvents([task("T-001")], [start("T-001"), agentEnd("T-001")]);
  expect(logOf(half).at(-1)).toBe("::endgroup::");
  expect(createActionLog({ level: "normal", style }).close()).toEqual([]);
});

test("whatever tasks and agents are called and say, the runner executes only our groups", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const facts = [
        start("T-001"),
        agentEnd("T-001", { outcome: { kind: "limited", message: text }, ignored: [text] }),
        failed("T-001", "review", { feedback: text }),
        { type: "warning", message: text } as const,
        { type: "task_blocked", task: "T-001", message: text } as const,
      ];
      const lines = logOf(
        realisticEvents([task("T-001", { title: `T${text}` })], facts),
        "verbose",
      );
      const commands = lines.flatMap((line) => runnerCommand(line)?.name ?? []);
      expect(commands).toEqual(["group", "endgroup"]);
      expect(lines.join("")).not.toMatch(/[\n\r]/);
    }),
  );
});

test("quoted output is text between two stops, its end at most", () => {
  expect(quoteOutput("one\n::error::x\r##[group]y\n", "k1")).toEqual([
    "::stop-commands::k1",
    "│ one",
    "│ · ::error::x",
    "│ ## [group]y",
    "::k1::",
  ]);
  const long = quoteOutput("line\n".repeat(1000), "k1");
  expect(long).toHaveLength(203);
  expect(long[1]).toBe("│ (800 lines before these are in the logs)");
});

test("a runner executes nothing of quoted output even where it cannot stop", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const [, ...lines] = quoteOutput(text, "k1");
      for (const line of lines.slice(0, -1)) expect(runnerCommand(line)).toBeUndefined();
    }),
  );
});
