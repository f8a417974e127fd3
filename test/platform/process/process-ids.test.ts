import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import {
  countStarted,
  firstYounger,
  lowestYounger,
} from "../../../src/platform/process/process-table.ts";

test.for([
  ["few were started since: they have higher ids", 500, { started: 10, maxId: 32_768 }, 500],
  ["ids may have begun anew: anybody may be younger", 32_760, { started: 10, maxId: 32_768 }, 0],
  ["ids may have gone round once", 500, { started: 32_768, maxId: 32_768 }, 0],
] as const)("%s", ([, pid, since, expected]) => {
  expect(firstYounger(pid, since)).toBe(expected);
});

test.skipIf(!existsSync("/proc/stat"))("every start is counted", async () => {
  const before = countStarted() ?? Number.NaN;
  await once(spawn("true"), "exit");
  expect(countStarted()).toBeGreaterThan(before);
});

test("without a count everybody may be younger", () => {
  expect(lowestYounger({ pid: 500, before: undefined })).toBe(0);
});
