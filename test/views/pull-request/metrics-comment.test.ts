import { expect, test } from "vitest";
import { renderMetricsComment } from "../../../src/views/pull-request/metrics-comment.ts";
import { summarize } from "../../../src/views/summary/summary.ts";
import { reportedRun } from "./reported-run.ts";

const metrics = { summary: summarize(reportedRun), run: "20260125-143052-a7b3c9" };

test("the comment shows tasks, iterations, duration, gates, cost and budget", () => {
  const runUrl = "https://github.com/o/r/actions/runs/12";
  expect(renderMetricsComment({ ...metrics, budgetUsd: 2, runUrl })).toMatchInlineSnapshot(`
    "<!-- ralph:metrics:20260125-143052-a7b3c9 -->

    **ralph**: blocked

    |  |  |
    | --- | --- |
    | Tasks | 2 of 4 passed, 1 blocked, 1 pending |
    | Iterations | 1 |
    | Duration | 12.0 s |
    | Gates | 1 passed, 0 failed |
    | Cost | $0.50 |
    | Budget | $2.00, 25 % used |

    [The run](https://github.com/o/r/actions/runs/12)
    "
  `);
});

test.each([
  [undefined, null, "| Budget | no limit |"],
  [null, 0.5, "| Budget | no limit |"],
  [0, 0, "| Budget | $0.00 |"],
  [2, null, "| Budget | $2.00 |"],
  [2, 3, "| Budget | $2.00, 150 % used |"],
])("with a budget of %j and a cost of %j it says %j", (budgetUsd, cost_usd, line) => {
  const summary = { ...metrics.summary, cost_usd };
  expect(renderMetricsComment({ ...metrics, summary, budgetUsd })).toContain(line);
});

test.each(["javascript:alert(1)", "https://x) [y](z", "https://x\n@octo"])(
  "an address such as %j is no link",
  (runUrl) => expect(renderMetricsComment({ ...metrics, runUrl })).not.toContain("[The run]"),
);
