import { readdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { acquireExclusively } from "../../../src/platform/locks/exclusive-lock.ts";
import { readStartTime } from "../../../src/platform/process/process-table.ts";
import { createTestFolder } from "../../support/project/system.ts";

const claim = { session_id: "mine", started_at: "2026-01-25T14:30:52.000Z" };
const ownStart = readStartTime(process.pid) ?? null;
const owner = {
  ...claim,
  session_id: "theirs",
  host: hostname(),
  pid: process.pid,
  pid_start: ownStart,
};

test.for([
  ["of a living process", owner, "held"],
  ["of a process that reused the id", { ...owner, pid_start: 1 }, "acquired"],
  ["of a process that is gone", { ...owner, pid: 2 ** 22 + 1 }, "acquired"],
  ["of another machine", { ...owner, host: "elsewhere", pid: 2 ** 22 + 1 }, "held"],
  ["that nobody can read", "half a rec", "held"],
] as const)("a file %s", async ([, record, kind]) => {
  await using folder = await createTestFolder();
  const path = join(folder.path, "lock.pid");
  await writeFile(path, typeof record === "string" ? record : JSON.stringify(record));
  const result = await acquireExclusively(path, claim);
  expect(result.kind).toBe(kind);
  expect(await readdir(folder.path)).toEqual(["lock.pid"]);
});

test("of many at once exactly one gets the lock, also when a dead owner's file is there", async () => {
  for (let round = 0; round < 50; round++) {
    await using folder = await createTestFolder();
    const path = join(folder.path, "lock.pid");
    await writeFile(path, JSON.stringify({ ...owner, pid_start: 1 }));
    const results = await Promise.all(
      Array.from({ length: 8 }, () => acquireExclusively(path, claim)),
    );
    expect(results.filter(({ kind }) => kind === "acquired")).toHaveLength(1);
    expect(await readdir(folder.path)).toEqual(["lock.pid"]);
  }
});

test("who died while replacing a dead owner's file is replaced in turn", async () => {
  await using folder = await createTestFolder();
  const path = join(folder.path, "lock.pid");
  const dead = JSON.stringify({ ...owner, pid_start: 1 });
  await writeFile(path, dead);
  await writeFile(`${path}.turn`, dead);
  const result = await acquireExclusively(path, claim);
  expect(result.kind).toBe("acquired");
  expect(await readdir(folder.path)).toEqual(["lock.pid"]);
});

test("a lock taken and released all the time has at most one holder at any moment", async () => {
  await using folder = await createTestFolder();
  const path = join(folder.path, "lock.pid");
  let holders = 0;
  const contend = async () => {
    for (let turn = 0; turn < 50; turn++) {
      const result = await acquireExclusively(path, claim);
      if (result.kind === "held") continue;
      holders += 1;
      expect(holders).toBe(1);
      await sleep(1);
      holders -= 1;
      await result[Symbol.asyncDispose]();
    }
  };
  await Promise.all(Array.from({ length: 8 }, contend));
});

test("a released lock leaves nothing", async () => {
  await using folder = await createTestFolder();
  const result = await acquireExclusively(join(folder.path, "lock.pid"), claim);
  if (result.kind === "acquired") await result[Symbol.asyncDispose]();
  expect(await readdir(folder.path)).toEqual([]);
});
