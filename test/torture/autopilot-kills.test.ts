import { expect, test } from "vitest";
import { killAll, phases, way } from "../support/crash/autopilot.ts";

test("an autopilot run killed in any phase resumes without a loss and repeats nothing", async () => {
  expect(await killAll(phases, "base")).toEqual([]);
});

test("an autopilot run killed while it leaves another branch resumes from there", async () => {
  expect(await killAll(way, "aside")).toEqual([]);
});
