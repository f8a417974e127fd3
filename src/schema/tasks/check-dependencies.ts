import { errorAt, type Finding } from "../base/finding.ts";
import type { TaskSketch } from "./prd-sketch.ts";

/** Dependencies on unknown tasks, and one cycle when there is any (F22). Linear in tasks and dependencies. */
export function checkDependencies(tasks: readonly TaskSketch[]): Finding[] {
  const ids = new Set(tasks.map(({ id }) => id));
  const unknown = tasks.flatMap(({ dependsOn }, at) =>
    dependsOn.flatMap((id, index) =>
      id === "" || ids.has(id) ? [] : unknownTask(["tasks", at, "dependsOn", index], id),
    ),
  );
  return [...unknown, ...cycles(tasks)];
}

const unknownTask = (path: PropertyKey[], id: string) =>
  errorAt(path, `names "${id}", which is not a task of this list`);

function cycles(tasks: readonly TaskSketch[]): Finding[] {
  const known = tasks.flatMap(({ id, dependsOn }) =>
    id === undefined ? [] : [[id, dependsOn] as const],
  );
  const cycle = findCycle(new Map(known));
  if (!cycle) return [];
  const at = tasks.findIndex(({ id }) => id === cycle[0]);
  const message = `closes a cycle: ${cycle.join(" -> ")}; remove one of these dependencies`;
  return [errorAt(["tasks", at, "dependsOn"], message)];
}

/** A cycle, such as `T-001 -> T-002 -> T-001`. */
function findCycle(dependencies: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const waiting = neverFree(dependencies);
  const way: string[] = [];
  const visited = new Set<string>();
  let [next] = waiting;
  // Every task that is never free depends on another such task, so this walk must repeat a task.
  while (next !== undefined && !visited.has(next)) {
    visited.add(next);
    way.push(next);
    next = dependencies.get(next)?.find((id) => waiting.has(id));
  }
  return next === undefined ? undefined : [...way.slice(way.indexOf(next)), next];
}

/** The tasks that remain after repeatedly removing those without open dependencies. */
function neverFree(dependencies: ReadonlyMap<string, readonly string[]>): Set<string> {
  const dependents = new Map([...dependencies.keys()].map((id) => [id, [] as string[]]));
  const open = new Map<string, number>();
  for (const [id, needs] of dependencies) {
    const known = needs.filter((need) => dependencies.has(need));
    for (const need of known) dependents.get(need)?.push(id);
    open.set(id, known.length);
  }
  const free = [...open.keys()].filter((id) => open.get(id) === 0);
  // The list grows during the walk: each removed task may free others.
  for (const id of free) {
    open.delete(id);
    for (const dependent of dependents.get(id) ?? []) {
      const left = (open.get(dependent) ?? 0) - 1;
      open.set(dependent, left);
      if (left === 0) free.push(dependent);
    }
  }
  return new Set(open.keys());
}
