import { describe, expect, test } from "vitest";
import type { Fact } from "../../src/core/state/event.ts";
import type { Dialect, ForeignTree } from "../../src/dialects/dialect.ts";
import { dialects } from "../../src/dialects/dialects.ts";
import { called, claimed, given, putFile, stepsOf } from "../support/builders/queue-story.ts";
import { start } from "../support/builders/session.ts";

const now = "2026-01-25T14:40:00.000Z";
const id = "20260125-143052-a7b3c9";
const killed: Fact[] = [
  claimed("T-001", "agent-1"),
  start("T-001"),
  called("T-001", "implementation"),
];

/** What a killed session leaves. */
function leftBy(dialect: Dialect): Map<string, string> {
  const tree = new Map<string, string>();
  for (const state of stepsOf(killed))
    for (const file of dialect.render(state, given)) putFile(tree, file);
  return tree;
}

function settle(tree: Map<string, string>, dialect: Dialect, resumed?: string): void {
  for (const file of dialect.settle?.(tree, { now, resumed }) ?? []) putFile(tree, file);
}

function settled(dialect: Dialect, resumed?: string): Map<string, string> {
  const tree = leftBy(dialect);
  settle(tree, dialect, resumed);
  return tree;
}

const isActive = (dialect: Dialect, tree: ForeignTree) =>
  dialect.read(tree, "2026-01-25T14:31:00.000Z").some((run) => run.isActive);

const settling = dialects.filter(({ settle }) => settle).map((dialect) => [dialect.name, dialect]);

describe.each(settling as [string, Dialect][])("files of %s after a kill", (_, dialect) => {
  test("show an active run, which settling ends", () => {
    expect(isActive(dialect, leftBy(dialect))).toBe(true);
    expect(isActive(dialect, settled(dialect))).toBe(false);
  });

  test("are settled once", () => {
    const tree = settled(dialect);
    expect(dialect.settle?.(tree, { now, resumed: undefined })).toEqual([]);
  });

  test("do not show an earlier life of a session that is resumed", () => {
    const left = [...settled(dialect, id)];
    const others = left.filter(([path]) => !/task-queue|ralph-progress\.json/.test(path));
    // Ended agents show whose queue it is, until the session's first update removes them.
    expect(others.map(([, text]) => JSON.parse(text).status)).toEqual(others.map(() => "failed"));
    expect(dialect.read(new Map(left), "2026-01-25T14:31:00.000Z").map((run) => run.id)).toEqual(
      left.some(([path]) => /task-queue/.test(path)) ? [id] : [],
    );
  });

  test.each([id, undefined])(
    "are settled after a kill in the midst of settling (%s)",
    (resumed) => {
      const steps = dialect.settle?.(leftBy(dialect), { now, resumed }) ?? [];
      for (const [at] of steps.entries()) {
        const tree = leftBy(dialect);
        for (const file of steps.slice(0, at + 1)) putFile(tree, file);
        settle(tree, dialect);
        expect([...tree.keys()].filter((path) => /^\.claude\/ralph\/[^/]+$/.test(path))).toEqual(
          [],
        );
        expect(isActive(dialect, tree)).toBe(false);
      }
    },
  );
});

test("a task that has passed when its session is resumed is done, not one more claim", () => {
  const dialect = dialects.find(({ name }) => name === "claude-ralph") as Dialect;
  const tree = leftBy(dialect);
  const request = { now, resumed: id, passed: new Set(["T-001"]) };
  for (const file of dialect.settle?.(tree, request) ?? []) putFile(tree, file);
  const queue = JSON.parse(tree.get(".claude/ralph/task-queue-ralph-example.json") ?? "{}");
  expect(queue.tasks[0]).toMatchObject({ id: "T-001", status: "done" });
});

test("a plan that is resumed has no claims between its two parts, so it is no other program's", () => {
  const dialect = dialects.find(({ name }) => name === "claude-ralph") as Dialect;
  expect(isActive(dialect, settled(dialect, id))).toBe(false);
});

test("each tool reads the end in its own words", () => {
  const textOf = (name: string, path: string) => {
    const dialect = dialects.find((each) => each.name === name);
    return JSON.parse((dialect && settled(dialect).get(path)) ?? "{}");
  };
  expect(textOf("omx", `.omx/state/sessions/${id}/ralph-state.json`)).toMatchObject({
    active: false,
    current_phase: "failed",
    completed_at: now,
    stop_reason: "interrupted",
  });
  expect(textOf("omc", ".omc/ralph-state.json")).toMatchObject({
    active: false,
    cancelled_at: now,
    reason: "interrupted",
  });
  const queue = textOf("claude-ralph", `.claude/ralph/archive/${id}/task-queue-ralph-example.json`);
  expect(queue.tasks[0]).toMatchObject({ id: "T-001", status: "pending", claimed_by: null });
});

test("files of other programs are not settled", () => {
  for (const dialect of dialects) {
    const theirs = new Map(
      [...leftBy(dialect)].map(([path, text]) => [
        path.replaceAll(id, "their-own"),
        text.replaceAll(id, "their-own").replace("<!-- ralph:prd -->", ""),
      ]),
    );
    expect(dialect.settle?.(theirs, { now, resumed: undefined }) ?? []).toEqual([]);
  }
});
