import { describe, expect, test } from "vitest";
import { apply } from "../../src/core/state/apply.ts";
import type { Fact } from "../../src/core/state/event.ts";
import type { SessionState } from "../../src/core/state/session-state.ts";
import type { Dialect, ForeignFile } from "../../src/dialects/dialect.ts";
import { dialects } from "../../src/dialects/dialects.ts";
import { checkForeignText } from "../../src/entry/foreign-tree.ts";
import { configWith } from "../support/builders/config.ts";
import {
  agentEnd,
  events,
  failed,
  passing,
  reviewed,
  sessionStart,
  start,
  task,
} from "../support/builders/session.ts";

/** One review that does not approve, one task that is blocked, one that passes, and the end. */
const story: Fact[] = [
  ...passing("T-001"),
  start("T-002", "t1+"),
  agentEnd("T-002", { tree: "t2" }),
  reviewed("T-002", "review-rejected", "t2"),
  failed("T-002", "review", { tree: "t2" }),
  agentEnd("T-002", { tree: "t2", iteration: 2 }),
  { type: "task_blocked", task: "T-002", message: "The same failure twice" },
  ...passing("T-003", { base: "t1+", tree: "t3", commit: "c3" }),
  { type: "session_end", reason: "blocked", message: "Blocked: T-002." },
];
const tasks = [task("T-001"), task("T-002"), task("T-003")];
const given = {
  config: configWith({}),
  root: "/project",
  process: { pid: 4242, startTicks: 77, platform: "linux" },
};

/** The states a session goes through, one an event. */
function steps(): SessionState[] {
  const runs: SessionState[] = [];
  for (const event of events([sessionStart(tasks), ...story])) runs.push(apply(runs.at(-1), event));
  return runs;
}

/** What stands on the disk when each state is shown in turn. */
function shown(dialect: Dialect, runs: readonly SessionState[]): Map<string, string> {
  const tree = new Map<string, string>();
  for (const state of runs) for (const file of dialect.render(state, given)) put(tree, file);
  return tree;
}

function put(tree: Map<string, string>, file: ForeignFile): void {
  const text =
    "text" in file ? file.text : (file.merge(tree.get(file.path)) ?? tree.get(file.path));
  if (text === undefined) tree.delete(file.path);
  else tree.set(file.path, text);
}

const later = "2026-01-25T14:31:52.000Z";

describe.each(dialects.map((dialect) => ({ name: dialect.name, dialect })))(
  "the dialect $name",
  ({ dialect }) => {
    test("shows every step of a run in files that are its own and sound", () => {
      const tree = new Map<string, string>();
      for (const state of steps()) {
        for (const file of dialect.render(state, given)) put(tree, file);
        for (const [path, text] of tree) {
          expect(dialect.owns(path)).toBe(true);
          expect(checkForeignText(dialect, path, text).problems).toEqual([]);
        }
      }
      expect(tree.size).toBeGreaterThan(0);
    });

    test("shows the same run in the same bytes", () => {
      const texts = (state: SessionState) =>
        dialect
          .render(state, given)
          .map((file) => ["text" in file ? file.text : file.ours, file.path]);
      for (const state of steps()) expect(texts(state)).toEqual(texts(structuredClone(state)));
    });

    test("writes only below the project root, and locks only there", () => {
      for (const state of steps()) {
        for (const { path, locks } of dialect.render(state, given)) {
          for (const each of [path, ...locks]) expect(each).not.toMatch(/^\/|(?:^|\/)\.\.(?:\/|$)/);
        }
      }
    });

    test("finds its files in the folders it names", () => {
      for (const path of shown(dialect, steps()).keys()) {
        const isFound = dialect.folders.some((folder) =>
          folder === "" ? !path.includes("/") : path.startsWith(`${folder}/`),
        );
        expect(isFound, path).toBe(true);
      }
    });

    test("lists a run while it is active, and not after its end", () => {
      const all = steps();
      const active = (runs: readonly SessionState[]) =>
        dialect.read(shown(dialect, runs), later).filter(({ isActive }) => isActive);
      // A team's files tell of its tasks only, and those are not the dialect's.
      expect(active(all.slice(0, 12))).toHaveLength(dialect.name === "agent-teams" ? 0 : 1);
      expect(active(all)).toEqual([]);
    });

    test("ends an active run on request, and leaves valid files", () => {
      const tree = shown(dialect, steps().slice(0, 12));
      const id = dialect.read(tree, later).find(({ isActive }) => isActive)?.id;
      for (const file of dialect.cancel(tree, { id, now: later })) put(tree, file);
      expect(dialect.read(tree, later).filter(({ isActive }) => isActive)).toEqual([]);
      for (const [path, text] of tree) {
        expect(checkForeignText(dialect, path, text).problems).toEqual([]);
      }
    });

    test("names a problem for every JSON file that is cut off anywhere", () => {
      for (const [path, text] of shown(dialect, steps().slice(0, 12))) {
        if (!path.endsWith(".json")) continue;
        for (let length = 1; length < text.trimEnd().length; length += 1) {
          const cut = text.slice(0, length);
          expect(checkForeignText(dialect, path, cut).problems.length, cut).toBeGreaterThan(0);
        }
      }
    });

    test("reads nothing out of an empty tree", () => {
      expect(dialect.read(new Map(), later)).toEqual([]);
      expect(dialect.cancel(new Map(), { id: undefined, now: later })).toEqual([]);
      expect(dialect.tasks(new Map())).toBeUndefined();
    });
  },
);
