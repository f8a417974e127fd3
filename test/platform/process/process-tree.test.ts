import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readProcess } from "../../../src/platform/process/process-table.ts";
import { selectTree } from "../../../src/platform/process/process-tree.ts";
import { supervise } from "../../../src/platform/process/supervise.ts";
import type { SupervisedResult } from "../../../src/platform/system.ts";

const hasProc = existsSync("/proc/self/stat");

/** Each prints the ids of the processes that must be gone afterwards. */
const variants = {
  "ignores SIGTERM": `trap "" TERM; (trap "" TERM; sleep 1000) & echo $$ $!; WAIT`,
  "leaves the group with setsid": `setsid sleep 1000 & echo $$ $!; sleep 0.1; WAIT`,
  "leaves with a double fork": `setsid sh -c '(trap "" TERM; sleep 1000) & echo $!'; echo $$; WAIT`,
  "is stopped": `sleep 1000 & kill -STOP $!; echo $$ $!; WAIT`,
  "stops itself": `sh -c 'kill -STOP $$' & echo $$ $!; sleep 0.1; WAIT`,
  "drops its environment but keeps its parent": `(env -i setsid sleep 1000; :) & echo $$ $!; sleep 0.1; WAIT`,
} as const;

async function runVariant(script: string, kind: "exits" | "hangs"): Promise<SupervisedResult> {
  const controller = new AbortController();
  return await supervise({
    file: "sh",
    args: ["-c", script.replace("WAIT", kind === "hangs" ? "echo ready; sleep 1000; :" : "exit 0")],
    onOutput: (chunk) => void (chunk.includes("ready") && controller.abort()),
    cwd: "/",
    env: { PATH: process.env.PATH },
    timeoutMs: 1_000_000,
    signal: controller.signal,
  });
}

function survivors({ stdout }: SupervisedResult): number[] {
  const ids = (stdout.match(/\d+/g) ?? []).map(Number);
  expect(ids.length).toBeGreaterThan(0);
  return ids.filter((pid) => !["Z", "X", undefined].includes(readProcess(pid)?.state));
}

describe.skipIf(!hasProc)("a child that (F26, G11)", () => {
  const names = Object.keys(variants) as (keyof typeof variants)[];

  test.concurrent.for(names)("%s: cancelled, with nothing left", async (name) => {
    const result = await runVariant(variants[name], "hangs");
    expect(result.end).toEqual({ kind: "cancelled" });
    expect(survivors(result)).toEqual([]);
    expect(result.lingering).toBeGreaterThanOrEqual(1);
  });

  test.concurrent.for(names.filter((name) => !name.startsWith("drops")))(
    "%s: ended when the program itself exits",
    async (name) => {
      const result = await runVariant(variants[name], "exits");
      expect(result.end).toEqual({ kind: "exited", code: 0 });
      expect(survivors(result)).toEqual([]);
      expect(result.lingering).toBe(1);
    },
  );
});

describe.skipIf(!hasProc)("a child that holds the output", () => {
  test("does not keep the call from ending", async () => {
    const result = await runVariant("sleep 1000 & echo done; exit 7", "exits");
    expect(result).toMatchObject({
      end: { kind: "exited", code: 7 },
      stdout: "done\n",
      lingering: 1,
    });
  });

  // On a busy machine it may need longer than it is given.
  test("may finish writing its output", { retry: 5 }, async () => {
    const result = await runVariant("(sleep 0.05; echo last) & echo first; exit 0", "exits");
    // Not `lingering`: its output ends a moment before the process does.
    expect(result.stdout).toBe("first\nlast\n");
  });
});

test("a child that obeys SIGTERM may put its things in order", async () => {
  const result = await runVariant(
    `trap "echo tidied; exit 0" TERM; sleep 1000 & echo ready; wait; WAIT`,
    "hangs",
  );
  expect(result.stdout).toBe("ready\ntidied\n");
});

test.skipIf(!hasProc)("a call without descendants counts none", async () => {
  expect((await runVariant("true; WAIT", "exits")).lingering).toBe(0);
});

describe("who belongs to a tree", () => {
  const entry = (pid: number, more: object = {}) => ({
    ...{ pid, parent: 1, group: pid, startTime: 100, state: "S", threads: 1, pages: 10 },
    ...more,
  });
  const select = (entries: ReturnType<typeof entry>[], marked: number[] = []) =>
    selectTree(entries, {
      rootPid: 10,
      startTime: 50,
      isMarked: ({ pid }) => marked.includes(pid),
    });

  test.for([
    ["the root", [entry(10)], [], [10]],
    ["its group", [entry(11, { group: 10 })], [], [11]],
    ["whoever carries the mark", [entry(12)], [12], [12]],
    [
      "descendants of any of these",
      [entry(14, { parent: 13 }), entry(13, { parent: 12 }), entry(12)],
      [12],
      [12, 13, 14],
    ],
    ["no stranger", [entry(15)], [], []],
    ["nobody older than the root", [entry(16, { group: 10, startTime: 49 })], [16], []],
  ] as const)("%s", ([, entries, marked, members]) => {
    expect(select([...entries], [...marked]).sort()).toEqual(members);
  });
});
