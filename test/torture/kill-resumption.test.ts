import { expect, test } from "vitest";
import { createCrashTemplate } from "../support/crash/project.ts";
import { enumeratePoints, type NamedPoint, sweep, thin } from "../support/crash/sweep.ts";

/** Points of each kind in each resumption. */
const count = 6;

test("a resumption killed at any of its effects is resumed in turn (R1, F01)", async () => {
  await using template = await createCrashTemplate();
  const points = await enumeratePoints(template);
  const faults: string[] = [];
  for (const [what, first] of interruptions(points)) {
    const chosen = thin(await enumeratePoints(template, [first]), count);
    const found = await sweep(template, chosen, [first]);
    faults.push(...found.map((fault) => `${what}: ${fault}`));
    console.info(`${what}: ${chosen.length} kill points`);
  }
  expect(faults).toEqual([]);
}, 3_600_000);

/** In the middle of T-002's first call, right after T-001's pass is journaled, and after its commit is made. */
function interruptions(points: readonly NamedPoint[]): (readonly [string, NamedPoint])[] {
  const calls = points.filter(({ name, how }) => name.includes("agent.sh") && how === "within");
  const settled = points.findIndex(({ name }) => name.startsWith("sync evidence"));
  const after = (part: string) =>
    points.slice(settled).find(({ name, how }) => name.includes(part) && how === "after");
  const named: [what: string, point: NamedPoint | undefined][] = [
    ["during a call", calls[3]],
    ["after a pass", after("append journal")],
    ["after its commit", after("update-ref")],
  ];
  return named.map(([what, point]) => [what, found(point)] as const);
}

function found(point: NamedPoint | undefined): NamedPoint {
  if (!point) throw new Error("The run to be interrupted has no such effect.");
  return point;
}
