import { expect, test } from "vitest";
import { summarize } from "../../../src/views/summary/summary.ts";
import { renderSummary } from "../../../src/views/summary/summary-text.ts";
import { task } from "../../support/builders/session.ts";
import { reportedRun } from "../pull-request/reported-run.ts";
import { realisticRun } from "../session-files/realistic-run.ts";

const place = { sessionDir: ".ralph-session" };

test("the summary shows outcome, failures, files and the next step", () => {
  expect(renderSummary(summarize(reportedRun), place)).toMatchInlineSnapshot(`
    "blocked (exit code 3) - Blocked: T-003.
    2/4 tasks passed, 1 iteration, 12.0 s, $0.50

    Task   State          Iterations  Time   Cost   Commit        Title
    T-001  passed before  0           -      -      -             Title of T-001
    T-002  passed         1           6.0 s  -      c2c2c2c2c2c2  Add login | logout
    T-003  blocked        0           2.0 s  $0.50  -             Title of T-003
    T-004  pending        0           -      -      -             Title of T-004

    T-003 blocked: No change in 3 iterations. Last failure: ask @octo about fixes #3
      Its work is kept: git diff t1+ f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1
      One file of it:   git show f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1:PATH

    Session  .ralph-session (timeline and output in .ralph-session/logs)
    Commits  git log --oneline c0c0c0c0c0c0..c2c2c2c2c2c2
    Cost     implementation $0.50 (2 calls), test_writing unknown (1 call), review unknown (1 call)
    Next     Remove the reason the task is blocked, then run \`ralph run --resume\`.
    "
  `);
});

test("without a commit there is no log to look at", () => {
  const state = realisticRun(
    [task("T-001", { passes: true })],
    [{ type: "session_end", reason: "nothing_to_do", message: "Every task had passed already." }],
  );
  const text = renderSummary(summarize(state), place);
  expect(text).toMatch(/^nothing to do \(exit code 0\) - Every task had passed already\./);
  expect(text).not.toContain("git log");
});
