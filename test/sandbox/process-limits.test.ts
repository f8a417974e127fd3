import { describe, expect, test } from "vitest";
import { supervise } from "../../src/platform/process/supervise.ts";
import { exceededLimit } from "../../src/platform/process/watch-limits.ts";
import { commandInLimits } from "../../src/sandbox/process-limits.ts";
import { createTestFolder } from "../support/project/system.ts";

const limits = { processes: 200, openFiles: 64, fileBytes: 64 * 1024 };

async function run(script: string, isLimited: boolean) {
  await using folder = await createTestFolder();
  const plain = { file: "sh", args: ["-c", script] };
  const command = isLimited ? commandInLimits(plain, limits) : plain;
  const { PATH } = process.env;
  return await supervise({
    ...command,
    cwd: folder.path,
    env: { PATH },
    input: "in",
    timeoutMs: 20_000,
  });
}

describe("what one process may use (T45):", () => {
  test.for([
    ["a huge file", "head -c 1000000 /dev/zero > big; wc -c < big", "1000000", "65536"],
    [
      "a sparse file",
      "truncate -s 100G big 2>/dev/null; wc -c < big 2>/dev/null",
      "107374182400",
      "",
    ],
    ["open files", "ulimit -n", undefined, "64"],
    ["core dumps", "ulimit -c", undefined, "0"],
    ["who ends first when memory runs out", "cat /proc/self/oom_score_adj", undefined, "1000"],
  ] as const)("%s", async ([, script, free, limited]) => {
    if (free !== undefined) expect((await run(script, false)).stdout.trim()).toBe(free);
    expect((await run(script, true)).stdout.trim().replace(/^0$/, limited === "" ? "" : "0")).toBe(
      limited,
    );
  });

  test("input, output, exit code and errors are the program's own", async () => {
    const result = await run("cat; echo problem >&2; exit 7", true);
    expect(result).toMatchObject({
      end: { kind: "exited", code: 7 },
      stdout: "in",
      stderr: "problem\n",
    });
  });

  test("a missing program is reported as bubblewrap does", async () => {
    const command = commandInLimits({ file: "no-such-program", args: [] }, limits);
    const { PATH } = process.env;
    const { end, stderr } = await supervise({
      ...command,
      cwd: "/",
      env: { PATH },
      timeoutMs: 20_000,
    });
    expect([end, stderr]).toEqual([
      { kind: "exited", code: 1 },
      "bwrap: execvp no-such-program: No such file or directory\n",
    ]);
  });
});

describe("what all processes may use together:", () => {
  const most = {
    processes: 100,
    memoryBytes: 1024 ** 3,
    disk: { folder: "/", bytes: 2 * 1024 ** 3 },
  };
  const usage = {
    processes: 100,
    memoryBytes: 1024 ** 3,
    free: 8 * 1024 ** 3,
    freeBefore: 10 * 1024 ** 3,
  };

  test.for([
    [{}, undefined],
    [{ processes: 101 }, "started more than 100 processes and threads"],
    [{ memoryBytes: 1024 ** 3 + 1 }, "used more than 1024 MiB of memory"],
    [{ free: 7 * 1024 ** 3 }, "filled the disk by more than 2048 MiB"],
    [{ free: 100 * 1024 ** 2, freeBefore: 1024 ** 3 }, "left less than 256 MiB free on the disk"],
    [{ free: 100 * 1024 ** 2, freeBefore: 200 * 1024 ** 2 }, undefined],
  ])("%j: %s", ([more, message]) => {
    expect(exceededLimit({ ...usage, ...(more as object) }, most)).toBe(message);
  });

  test.for([
    ["processes", { ...most, processes: 20 }],
    ["memory", { ...most, memoryBytes: 1024 ** 2 }],
  ] as const)("a storm of %s is ended, and without the limit it goes on", async ([, own]) => {
    const storm = "for i in $(seq 40); do sleep 1.2 & done; wait; echo done";
    const command = { file: "sh", args: ["-c", storm], cwd: "/", env: { PATH: process.env.PATH } };
    expect((await supervise({ ...command, timeoutMs: 20_000, limits: own })).end.kind).toBe(
      "over-limit",
    );
    expect((await supervise({ ...command, timeoutMs: 20_000 })).stdout).toBe("done\n");
  });
});
