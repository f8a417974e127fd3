import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { Fact } from "../../../src/core/state/event.ts";
import { canonicalChecksum } from "../../../src/schema/session-files/checksum.ts";
import { TaskStatusFile } from "../../../src/schema/session-files/task-status.ts";
import { taskStatusJson, taskStatusSha256 } from "../../../src/views/session-files/task-status.ts";
import { failed, passing, start, task } from "../../support/builders/session.ts";
import { realisticEvents, realisticRun } from "./realistic-run.ts";

const given = { token: "" };
const state = realisticRun(
  [task("T-001"), task("T-002"), task("T-003"), task("T-004", { passes: true })],
  [...passing("T-001"), start("T-002"), failed("T-002", "review", { feedback: "Zażółć\nnow" })],
);
const text = taskStatusJson.render(state, given) ?? "";

test("each task shows whether it passed, and its history in this session", () => {
  expect(JSON.parse(text).tasks).toEqual({
    "T-001": {
      passes: true,
      started_at: "2026-01-25T14:30:53.000Z",
      completed_at: "2026-01-25T14:30:59.000Z",
      iterations: 1,
    },
    "T-002": {
      passes: false,
      started_at: "2026-01-25T14:31:01.000Z",
      iterations: 1,
      last_failure: "review: Zażółć now",
    },
    "T-003": { passes: false },
    "T-004": { passes: true },
  });
});

test("the file validates and carries the canonical checksum of the rest", () => {
  const { checksum, ...rest } = TaskStatusFile.parse(JSON.parse(text));
  expect(checksum).toBe(canonicalChecksum(rest));
});

test("the text equals the output of JSON.stringify", () => {
  expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
});

test("the checksum file is the bare digest of the bytes", () => {
  const digest = createHash("sha256").update(text).digest("hex");
  expect(taskStatusSha256.render(state, given)).toBe(`${digest}\n`);
});

test("the same state gives the same text, rendered before or not", () => {
  const again = structuredClone(state);
  expect(taskStatusJson.render(again, given)).toBe(text);
});

test("logs of the agents that were called are named once the task has ended", () => {
  const facts: Fact[] = [
    start("T-001"),
    {
      type: "agent_start",
      task: "T-001",
      role: "implementation",
      iteration: 1,
      driver: "claude",
      prompt: { sha256: "", bytes: 0 },
    },
  ];
  const ended: Fact = { type: "task_failed", task: "T-001", message: "No pass." };
  expect(entryOf(facts)).not.toHaveProperty("agent_outputs");
  expect(entryOf([...facts, ended])).toMatchObject({
    agent_outputs: { implementation: "logs/impl-T-001.log" },
  });
});

test("the file changes with the tasks and not with every event", () => {
  const told = realisticEvents([task("T-001"), task("T-002")], passing("T-001"));
  const texts = told.map(({ state }) => taskStatusJson.render(state, given) ?? "");
  const dates = texts.map((text) => JSON.parse(text).last_updated);
  const changed = told.filter((_, at) => texts[at] !== texts[at - 1]);
  expect(changed.map(({ event }) => event.type)).toEqual([
    "session_start",
    "task_start",
    "task_passed",
  ]);
  expect(new Set(dates).size).toBe(3);
});

function entryOf(facts: readonly Fact[]) {
  const text = taskStatusJson.render(realisticRun([task("T-001")], facts), given) ?? "";
  return JSON.parse(text).tasks["T-001"];
}
