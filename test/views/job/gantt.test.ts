import { expect, test } from "vitest";
import { maxBars, renderGantt } from "../../../src/views/job/gantt.ts";
import { type Summary, summarize } from "../../../src/views/summary/summary.ts";
import type { CallSummary } from "../../../src/views/summary/summary-calls.ts";
import { runOf, task } from "../../support/builders/session.ts";

const at = (second: number) => new Date(Date.UTC(2026, 0, 25, 14) + second * 1000).toISOString();
const call = (id: string, second: number, more: Partial<CallSummary> = {}): CallSummary => ({
  task: id,
  role: "implementation",
  iteration: 1,
  driver: "claude",
  model: null,
  outcome: "accepted",
  started_at: at(second),
  ended_at: at(second + 60),
  usage: {},
  ...more,
});
const summaryOf = (calls: CallSummary[], titles: string[] = ["One"]): Summary => ({
  ...summarize(runOf(titles.map((title, index) => task(idOf(index), { title })))),
  calls,
});
const idOf = (index: number) => `T-${String(index + 1).padStart(3, "0")}`;

test("a task is a section, a call a bar with its outcome", () => {
  const calls = [
    call("T-001", 0, { outcome: "refused" }),
    call("T-001", 70, { role: "test_writing", iteration: 2 }),
    call("T-002", 200, { outcome: "running", ended_at: null }),
  ];
  const gantt = renderGantt(
    summaryOf(calls, ['Say "hi": 50%; #1 `x`\n%%{init}%%', "Größe ändern"]),
  );
  expect(gantt?.chart).toMatchInlineSnapshot(`
    "\`\`\`mermaid
    gantt
        dateFormat x
        axisFormat %H:%M
        section T-001 Say hi 50 1 x init
        implementation 1 :crit, 1769349600000, 1769349660000
        test writing 2 :done, 1769349670000, 1769349730000
        section T-002 Größe ändern
        implementation 1 :active, 1769349800000, 1769349801000
    \`\`\`"
  `);
  expect(gantt?.note).toBe("");
});

test("with too many calls a bar is a whole task, and the number of bars stays bounded", () => {
  const calls = Array.from({ length: 300 }, (_, index) =>
    call(idOf(Math.floor(index / 3)), index * 100),
  );
  const titles = Array.from({ length: 100 }, (_, index) => `Title ${index}`);
  const gantt = renderGantt(summaryOf(calls, titles));
  expect(gantt?.chart.match(/section/g)).toHaveLength(maxBars);
  expect(gantt?.chart).toContain("section T-100 Title 99\n    all 3 calls :crit, ");
  expect(gantt?.note).toBe("Only the last 60 of 100 bars are drawn.");
});

test("without calls there is nothing to draw", () => {
  expect(renderGantt(summaryOf([]))).toBeUndefined();
  expect(renderGantt(summarize(runOf([task("T-001")])))).toBeUndefined();
});
