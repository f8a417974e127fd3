import { expect, test } from "vitest";
import { apply } from "../../../src/core/state/apply.ts";
import type { Fact } from "../../../src/core/state/event.ts";
import { phaseOf } from "../../../src/core/state/phase.ts";
import type { SessionState } from "../../../src/core/state/session-state.ts";
import { omx } from "../../../src/dialects/omx/omx.ts";
import { OmxState } from "../../../src/dialects/omx/schema/state.ts";
import { checkForeignText } from "../../../src/entry/foreign-tree.ts";
import { configWith } from "../../support/builders/config.ts";
import {
  agentEnd,
  events,
  failed,
  gateEnd,
  passing,
  runOf,
  sessionStart,
  start,
  task,
  testsDone,
} from "../../support/builders/session.ts";
import { everyFact } from "../../views/session-files/every-fact.ts";
import { seenBySpecification } from "./read-by-specification.ts";

const id = "20260125-143052-a7b3c9";
const statePath = `.omx/state/sessions/${id}/ralph-state.json`;
const ledgerPath = `.omx/state/sessions/${id}/ralph-progress.json`;
const prdPath = ".omx/plans/prd-example.md";
const pointerPath = ".omx/state/session.json";

const tasks = [task("T-001"), task("T-002"), task("T-003")];
const given = {
  config: configWith({ limits: { max_iterations: 5 } }),
  root: "/project",
  process: { pid: 4242, startTicks: 77, platform: "linux" },
};

type Given = Parameters<typeof omx.render>[1];

/** Brings a tree in step with a run, as the door does it. */
function show(tree: Map<string, string>, state: SessionState, more: Partial<Given> = {}): void {
  for (const file of omx.render(state, { ...given, ...more })) {
    const before = tree.get(file.path);
    const after = "text" in file ? (file.text ?? null) : file.merge(before);
    if (after === null) tree.delete(file.path);
    else if (after !== undefined) tree.set(file.path, after);
  }
}

function shown(state: SessionState): Map<string, string> {
  const tree = new Map<string, string>();
  show(tree, state);
  return tree;
}

const stateOf = (state: SessionState) => JSON.parse(shown(state).get(statePath) ?? "null");

function stepsOf(facts: readonly Fact[]): SessionState[] {
  const runs: SessionState[] = [];
  for (const event of events([sessionStart(tasks), ...facts])) runs.push(apply(runs.at(-1), event));
  return runs;
}

const rejected = failed("T-001", "gate");
test.each<[string, Fact[], object]>([
  ["before the first task", [], { active: true, iteration: 0, current_phase: "starting" }],
  ["while a task is implemented", [start("T-001")], { iteration: 0, current_phase: "executing" }],
  [
    "while gates judge it",
    [start("T-001"), agentEnd("T-001"), testsDone("T-001")],
    { iteration: 0, current_phase: "verifying" },
  ],
  [
    "after a failed iteration",
    [start("T-001"), agentEnd("T-001"), testsDone("T-001"), gateEnd("T-001"), rejected],
    { iteration: 1, current_phase: "fixing" },
  ],
  ["after a pass", passing("T-001"), { active: true, iteration: 1, current_phase: "executing" }],
])("the state %s", (_, facts, expected) => {
  const state = stateOf(runOf(tasks, facts));
  expect(state).toMatchObject({
    max_iterations: 15,
    started_at: "2026-01-25T14:30:52.000Z",
    ...expected,
  });
  expect(state).not.toHaveProperty("completed_at");
});

test.each([
  ["all_done", "complete", undefined],
  ["nothing_to_do", "complete", undefined],
  ["task_failed", "failed", "task_failed"],
  ["cancelled", "cancelled", "cancelled"],
  ["checkpoint", "cancelled", "checkpoint"],
] as const)("a session that ends as %s is inactive and %s", (reason, phase, stop_reason) => {
  const end: Fact = { type: "session_end", reason, message: "It ended." };
  expect(stateOf(runOf(tasks, [end]))).toEqual({
    active: false,
    iteration: 0,
    max_iterations: 15,
    current_phase: phase,
    started_at: "2026-01-25T14:30:52.000Z",
    completed_at: "2026-01-25T14:30:53.000Z",
    ...(stop_reason && { stop_reason }),
  });
});

test("every prefix of a journal is shown in sound files that hold no key the format does not have", () => {
  const known = new Set(Object.keys(OmxState.shape));
  for (const state of stepsOf(everyFact)) {
    const tree = shown(state);
    for (const [path, text] of tree) {
      expect(checkForeignText(omx, path, text)).toEqual({ problems: [], warnings: [] });
    }
    const written = stateOf(state);
    expect(Object.keys(written).filter((key) => !known.has(key))).toEqual([]);
    expect(written.active).toBe(state.end === undefined);
    expect(written.iteration).toBeLessThanOrEqual(written.max_iterations);
  }
});

test("a reader that knows nothing but the specification sees the same at every step", () => {
  const tree = new Map<string, string>();
  for (const state of stepsOf([...everyFact])) {
    show(tree, state);
    const seen = seenBySpecification(tree, id);
    expect(seen).toMatchObject({ phase: phaseOf(state), isActive: state.end === undefined });
    if (!state.end) expect(seenBySpecification(tree)).toEqual(seen);
  }
});

test("only changed files are written", () => {
  const before = omx.render(runOf(tasks, [start("T-001")]), given);
  const after = omx.render(runOf(tasks, [start("T-001"), agentEnd("T-001")]), given);
  const showsOf = (files: typeof before) =>
    new Map(files.map((file) => [file.path, "text" in file ? file.text : file.ours]));
  const changed = [...showsOf(after)].filter(([path, text]) => showsOf(before).get(path) !== text);
  expect(changed).toEqual([]);
});

test("the ledger lists each ended task, oldest first, and keeps keys of other programs", () => {
  const state = runOf(tasks, [
    ...passing("T-001"),
    start("T-002"),
    { type: "task_blocked", task: "T-002", message: "No change\nin 3 iterations" },
  ]);
  const tree = shown(state);
  const ledger = JSON.parse(tree.get(ledgerPath) ?? "");
  expect(ledger).toMatchInlineSnapshot(`
    {
      "created_at": "2026-01-25T14:30:52.000Z",
      "entries": [
        {
          "index": 1,
          "text": "2026-01-25T14:30:59.000Z T-001 passed after 1 iteration: Title of T-001",
        },
        {
          "index": 2,
          "text": "2026-01-25T14:31:02.000Z T-002 blocked after 0 iterations: Title of T-002 - No change in 3 iterations",
        },
      ],
      "schema_version": 2,
      "updated_at": "2026-01-25T14:31:02.000Z",
    }
  `);
  const verdict = { ...ledger, visual_feedback: [{ score: 91 }], mood: "good" };
  tree.set(ledgerPath, JSON.stringify(verdict));
  show(tree, state);
  expect(JSON.parse(tree.get(ledgerPath) ?? "")).toEqual(verdict);
});

test("the canonical document is readable, and its list is the session's", () => {
  const state = runOf(
    [task("T-001", { title: "Add ``` and <b>" }), task("T-002")],
    passing("T-001"),
  );
  const tree = shown(state);
  expect(tree.get(prdPath)?.split("```json")[0]).toMatchInlineSnapshot(`
    "# Example

    <!-- ralph:prd -->
    > Written by ralph for session 20260125-143052-a7b3c9 from its own list; changes here are lost.

    An example project

    ## Task List

    "
  `);
  expect(omx.tasks(tree)).toMatchObject({
    path: prdPath,
    list: {
      project: "Example",
      branchName: "ralph/example",
      tasks: [
        { id: "T-001", passes: true, title: "Add ``` and <b>" },
        { id: "T-002", passes: false },
      ],
    },
  });
});

test("a document of the same name that is not ours stays", () => {
  const tree = new Map([[prdPath, "# Example\n\nWritten by a person.\n"]]);
  show(tree, runOf(tasks));
  expect(tree.get(prdPath)).toBe("# Example\n\nWritten by a person.\n");
});

test("at its end a session is current no more; another one that is named by then stays", () => {
  const end: Fact = { type: "session_end", reason: "all_done", message: "Done." };
  const tree = shown(runOf(tasks));
  expect(JSON.parse(tree.get(pointerPath) ?? "")).toEqual({
    session_id: id,
    started_at: "2026-01-25T14:30:52.000Z",
    cwd: "/project",
    pid: 4242,
    platform: "linux",
    pid_start_ticks: 77,
  });
  show(tree, runOf(tasks, [end]));
  expect(tree.has(pointerPath)).toBe(false);
  const other = JSON.stringify({ session_id: "omx-1" });
  tree.set(pointerPath, other);
  show(tree, runOf(tasks, [end]));
  expect(tree.get(pointerPath)).toBe(other);
});

const lives = { isRunning: () => true };
const gone = { isRunning: () => false };
test.each<[string, object, Partial<Given>, boolean]>([
  ["that lives stays", { session_id: "omx-1", pid: 5 }, lives, false],
  ["whose process is gone is replaced", { session_id: "omx-1", pid: 5 }, gone, true],
  ["nobody can ask stays", { session_id: "omx-1", pid: 5 }, {}, false],
  ["without a process stays", { session_id: "omx-1" }, gone, false],
  ["that is broken stays", { session_id: "../../x" }, gone, false],
  ["of ralph before is replaced", { session_id: "20260124-000000-aaaaaa", pid: 5 }, lives, true],
])("a current session %s", (_, session, more, isReplaced) => {
  const before = JSON.stringify(session);
  const tree = new Map([[pointerPath, before]]);
  show(tree, runOf(tasks), more);
  expect(tree.get(pointerPath) !== before).toBe(isReplaced);
});
