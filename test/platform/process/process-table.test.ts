import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  countStarted,
  firstYounger,
  isEnded,
  isRunning,
  lowestYounger,
  parseStat,
  readProcess,
  readProcesses,
} from "../../../src/platform/process/process-table.ts";

const hasProc = existsSync("/proc/self/stat");

test("a process name cannot imitate other fields", () => {
  const rest = "S 7 8 9 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4711 0 0";
  const expected = {
    pid: 42,
    parent: 7,
    group: 8,
    startTime: 4711,
    state: "S",
    threads: expect.any(Number),
    pages: expect.any(Number),
  };
  expect(parseStat(`42 (evil) R 1 1) ${rest}`)).toEqual(expected);
  expect(parseStat(`42 (a b\nc) ${rest}`)).toEqual(expected);
  expect(parseStat("")).toBeUndefined();
});

test("a killed program runs until its last thread has closed its files", () => {
  const stat = (threads: number) =>
    `42 (node) Z 7 8 9 0 -1 0 0 0 0 0 0 0 0 0 20 0 ${threads} 0 4711`;
  const isGone = (threads: number) => {
    const entry = parseStat(stat(threads));
    return entry && isEnded(entry);
  };
  expect([isGone(1), isGone(2)]).toEqual([true, false]);
});

test.skipIf(!hasProc)("our own entry reads as the system gives it", () => {
  const fields = readFileSync("/proc/self/stat", "utf8").split(" ");
  expect(readProcess(process.pid)?.startTime).toBe(Number(fields.at(21)));
  expect(readProcess(process.pid)?.parent).toBe(process.ppid);
});

test.skipIf(!hasProc)("we are among the processes, and no ended one is", () => {
  const entries = readProcesses();
  expect(entries.map(({ pid }) => pid)).toContain(process.pid);
  expect(entries.filter(({ state }) => state === "Z")).toEqual([]);
});

test.skipIf(!hasProc).for([
  ["ourselves", process.pid, readProcess(process.pid)?.startTime, true],
  ["ourselves, start time unknown", process.pid, undefined, true],
  ["an earlier process with our id", process.pid, 1, false],
  ["an id nobody has", 2 ** 22 + 1, undefined, false],
] as const)("whether it runs: %s", ([, pid, startTime, expected]) => {
  expect(isRunning({ pid, startTime })).toBe(expected);
});

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
