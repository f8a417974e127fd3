import { expect, test } from "vitest";
import { type Level, levels } from "../../../src/views/terminal/line-marks.ts";
import { type TerminalStyle, terminalLines } from "../../../src/views/terminal/terminal.ts";
import { task } from "../../support/builders/session.ts";
import { everyFact } from "../session-files/every-fact.ts";
import { realisticEvents } from "../session-files/realistic-run.ts";

const same = (text: string) => text;
const style: TerminalStyle = { good: same, bad: same, wait: same, plain: same, faint: same };
const all = realisticEvents([task("T-001"), task("T-002"), task("T-003")], everyFact);
const told = (level: Level, how = style) =>
  all.flatMap(({ event, state }) => terminalLines(event, state, { level, style: how }));

test("a run reads as a list of short lines", () => {
  expect(told("normal").join("\n")).toMatchInlineSnapshot(`
    "· session 20260125-143052-a7b3c9 on ralph/example: 3 tasks
    ✓ setup install passed, 1.2 s
    · T-001 Title of T-001
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
    · session 20260125-143052-a7b3c9 resumed at c0c0c0c0c0c0
    ✓ c0c0c0c0c0c0 checked again: it holds
    · T-001 Title of T-001
    ✓ T-001 implementation answered (task-done), 1.0 s
    ✓ T-001 test_writing answered (tests-done), 1.0 s
    ✓ T-001 gate test (full) passed, 10 ms
    ✓ T-001 criteria proved 0/1, 1 for the review
    ✓ T-001 review answered (review-approved), 1.0 s
    ✓ T-001 passed as c1c1c1c1c1c1, 3 iterations, $0.25
    · T-002 Title of T-002
    ✗ T-002 failed: No pass in 5 iterations
    · T-003 Title of T-003
    · T-003 work kept as tree f3f3f3f3f3f3
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

test("quiet prints only events that need a person, and the end", () => {
  expect(told("quiet").join("\n")).toMatchInlineSnapshot(`
    "✗ T-002 failed: No pass in 5 iterations
    ✗ T-003 blocked: No change in 3 iterations
    ✗ c1c1c1c1c1c1 no longer holds: gate test
    ✗ tampering: task-status.json was changed"
  `);
});

test("verbose prints everything, with the time", () => {
  expect(told("verbose")).toHaveLength(all.length);
  expect(told("verbose")[0]).toMatch(/^· 14:30:52 session /);
});

test("no line holds a control character or begins like a runner command", () => {
  for (const line of levels.flatMap((level) => told(level))) {
    expect(line).toMatch(/^[·✓✗…!] /u);
    expect(line).not.toMatch(/\p{Cc}/u);
  }
});

test("colours are the caller's", () => {
  const red = (text: string) => `<${text}>`;
  expect(told("quiet", { ...style, bad: red })[0]).toMatch(/^<✗> T-002 <failed: .*>$/);
});
