import fc from "fast-check";
import { expect, test } from "vitest";
import { checkDependencies } from "../../../src/schema/tasks/check-dependencies.ts";

const task = (id: string, dependsOn: string[]) => ({
  id,
  dependsOn,
  priority: 1,
  passes: false,
  subtasks: [],
});

test.each<[string, Record<string, string[]>, string | undefined]>([
  ["a chain", { a: [], b: ["a"], c: ["b"] }, undefined],
  ["a diamond", { a: [], b: ["a"], c: ["a"], d: ["b", "c", "b"] }, undefined],
  ["a task that waits for itself", { a: ["a"] }, "a -> a"],
  ["two that wait for each other", { a: ["b"], b: ["a"], c: [] }, "a -> b -> a"],
  ["a circle behind a tail", { t: ["a"], a: ["b"], b: ["c"], c: ["a"] }, "a -> b -> c -> a"],
])("%s", (_, graph, circle) => {
  const findings = checkDependencies(Object.entries(graph).map(([id, needs]) => task(id, needs)));
  expect(findings.map(({ message }) => /cycle: ([^;]*)/.exec(message)?.[1])).toEqual(
    circle ? [circle] : [],
  );
});

test("an unknown task is named at its place, and is no circle", () => {
  expect(checkDependencies([task("a", []), task("b", ["a", "x"])])).toMatchObject([
    { severity: "error", path: ["tasks", 1, "dependsOn", 1] },
  ]);
});

test("tasks without an id are in no circle", () => {
  const nameless = { ...task("", [""]), id: undefined };
  expect(checkDependencies([nameless, nameless])).toEqual([]);
});

test("a circle is reported exactly when no order exists (F22)", () => {
  const edges = fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { maxLength: 60 });
  fc.assert(
    fc.property(edges, (pairs) => {
      const ids = Array.from({ length: 31 }, (_, n) => n);
      const needs = (n: number) => pairs.filter(([from]) => from === n).map(([, to]) => to);
      const tasks = ids.map((n) => task(`${n}`, needs(n).map(String)));
      expect(checkDependencies(tasks).length === 0).toBe(hasOrder(ids, needs));
    }),
  );
});

test("40,000 tasks that wait for one task are checked in linear time", () => {
  const many = Array.from({ length: 40_000 }, (_, n) => task(`t${n}`, n === 0 ? [] : ["t0"]));
  expect(checkDependencies(many)).toEqual([]);
});

/** The definition itself: again and again, take away a task whose needs are all gone. */
function hasOrder(ids: readonly number[], needs: (id: number) => number[]): boolean {
  const done = new Set<number>();
  for (let round = 0; round < ids.length; round += 1) {
    for (const id of ids) if (needs(id).every((need) => done.has(need))) done.add(id);
  }
  return done.size === ids.length;
}
