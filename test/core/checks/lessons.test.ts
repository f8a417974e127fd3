import { expect, test } from "vitest";
import { freshLessons, lastLesson, lessonsOf } from "../../../src/core/checks/lessons.ts";
import type { Fact } from "../../../src/core/state/event.ts";
import { taskOf } from "../../../src/core/state/session-state.ts";
import { listOriginOf } from "../../../src/core/state/task-list-origin.ts";
import { failed, gateEnd, runOf, start, task } from "../../support/builders/session.ts";

const tasks = [task("T-001"), task("T-002")];
const gate = (id: string, feedback: string, names: string[] = []) =>
  failed(id, "gate", { feedback, fingerprint: `test\n${names.join("\n")}` });
const lessons = (facts: readonly Fact[]) => lessonsOf(taskOf(runOf(tasks, facts), "T-001"));

test("equal failures of a gate are one lesson, whatever else its output says", () => {
  const named = [gate("T-001", "took 3 s", ["a > b"]), gate("T-001", "other words", ["a > b"])];
  expect(lessons([start("T-001"), ...named])).toHaveLength(1);
  const unnamed = [gate("T-001", "line 12: broken"), gate("T-001", "line 13:  broken")];
  expect(lessons([start("T-001"), ...unnamed])).toHaveLength(1);
  expect(lessons([start("T-001"), ...named, ...unnamed])).toHaveLength(2);
});

test("each rejection is a lesson of its own, a review without a verdict is not", () => {
  const rejected = (feedback: string) =>
    failed("T-001", "review", { feedback, fingerprint: "rejected" });
  expect(lessons([start("T-001"), rejected("a"), rejected("b")])).toMatchObject([
    { source: "review", feedback: "a", at: "2026-01-25T14:30:54.000Z" },
    { source: "review", feedback: "b" },
  ]);
  expect(lessons([start("T-001"), failed("T-001", "review", { fingerprint: "missing" })])).toEqual(
    [],
  );
});

test("what a session has learned is known newest first, and survives a resumption", () => {
  const facts: Fact[] = [
    start("T-001"),
    gate("T-001", "one"),
    { type: "session_resume", sandbox: "off" },
    start("T-002"),
    gate("T-002", "two"),
    gate("T-002", "two"),
  ];
  const state = runOf(tasks, facts);
  expect(freshLessons(state).map(({ feedback }) => feedback)).toEqual(["two", "one"]);
  expect(lastLesson(taskOf(state, "T-002"))?.times).toBe(2);
  expect(lastLesson(taskOf(state, "T-001"))?.times).toBe(1);
  expect(lastLesson({})).toBeUndefined();
});

test("of a long failure only the beginning is kept", () => {
  const state = runOf(tasks, [start("T-001"), gate("T-001", "x".repeat(100_000))]);
  expect(taskOf(state, "T-001").failures?.[0]?.feedback).toHaveLength(600);
});

test("gate results are counted on every tree, skipped ones are not", () => {
  const facts = [
    start("T-001"),
    gateEnd("T-001"),
    gateEnd("T-001", { tree: "t2", status: "timed_out" }),
    gateEnd("T-001", { tree: "t3", status: "skipped" }),
    { type: "session_resume", sandbox: "off" } as const,
  ];
  expect(taskOf(runOf(tasks, facts), "T-001").gateTally).toMatchObject({ passed: 1, failed: 1 });
});

test.each([
  [undefined, {}],
  [{ sourceFile: "x" }, {}],
  [{ sourceFile: "x", idMap: { a: 1 } }, {}],
  [{ sourceFile: "x", idMap: { a: "b" } }, { list_origin: { path: "x", ids: { a: "b" } } }],
])("the origin of a list with the metadata %j", (metadata, expected) => {
  expect(listOriginOf({ metadata })).toEqual(expected);
});
