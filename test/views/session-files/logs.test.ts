import { expect, test } from "vitest";
import type { Fact } from "../../../src/core/state/event.ts";
import { logs, maxLogText } from "../../../src/views/session-files/logs.ts";
import { agentEnd, gateEnd, start, task } from "../../support/builders/session.ts";
import { everyFact } from "./every-fact.ts";
import { realisticEvents } from "./realistic-run.ts";

const output = { sha256: "d".repeat(64), bytes: 10 };

async function logged(facts: readonly Fact[], text = "said") {
  const tasks = [task("T-001"), task("T-002"), task("T-003")];
  const added = realisticEvents(tasks, facts).map(({ event, state }) =>
    logs.append(event, state, async () => text),
  );
  return (await Promise.all(added)).filter((each) => each !== undefined);
}

test("each attempt follows a line with its outcome", async () => {
  const call: Fact = {
    type: "agent_start",
    task: "T-001",
    role: "implementation",
    iteration: 1,
    driver: "claude",
    prompt: output,
  };
  const outcome = { kind: "failed", class: "agent", message: "exit code 1" } as const;
  const attempts = [
    call,
    agentEnd("T-001", { outcome, output }),
    call,
    agentEnd("T-001", { output }),
  ];
  const entries = await logged([start("T-001"), ...attempts]);
  expect(entries.map(({ path }) => path)).toEqual(["logs/impl-T-001.log", "logs/impl-T-001.log"]);
  expect(entries.map(({ text }) => text).join("")).toMatchInlineSnapshot(`
    "=== implementation attempt 1 | iteration 1 | 2026-01-25T14:30:55.000Z | failed (agent: exit code 1) | 1000 ms ===
    said

    === implementation attempt 2 | iteration 1 | 2026-01-25T14:30:57.000Z | answered (task-done) | 1000 ms ===
    said

    "
  `);
});

test("every kind of output has its file", async () => {
  const paths = (await logged(everyFact)).map(({ path }) => path);
  expect([...new Set(paths)].sort()).toEqual([
    "logs/baseline.log",
    "logs/fix-verify.log",
    "logs/gates-T-001.log",
    "logs/impl-T-001.log",
    "logs/plan-verify.log",
    "logs/review-T-001.log",
    "logs/setup.log",
    "logs/test-T-001.log",
  ]);
});

test("output is bounded and cannot steer a terminal", async () => {
  const hostile = `\x1b[2J${"x".repeat(3 * maxLogText)}end`;
  const [entry] = await logged([start("T-001"), gateEnd("T-001", { output })], hostile);
  expect(entry?.text.length).toBeLessThan(maxLogText + 500);
  expect(entry?.text).toMatch(/characters left out \.\.\.\nx+end\n\n$/);
  expect(entry?.text).not.toMatch(/(?!\n)\p{Cc}/u);
});

test("a call without output says so", async () => {
  const [entry] = await logged([start("T-001"), gateEnd("T-001")]);
  expect(entry?.text).toMatch(/ \| passed \| 10 ms ===\n\(no output\)\n\n$/);
});
