import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { createMark, endOrphans } from "../../../src/platform/process/orphans.ts";
import { isRunning } from "../../../src/platform/process/process-table.ts";
import { createTestFolder } from "../../support/project/system.ts";

const dead = "RALPH_CALL=99999999-1-";

/** A program of a call, in a session of its own; ended with the test. */
function program(cwd: string, mark: string): Disposable & { isAlive: () => boolean } {
  const [name = "", value] = mark.split("=");
  const env = { PATH: process.env.PATH, [name]: value };
  const { pid = 0 } = spawn("sleep", ["30"], { cwd, env, stdio: "ignore", detached: true });
  const isAlive = () => isRunning({ pid, startTime: undefined });
  return { isAlive, [Symbol.dispose]: () => void (isAlive() && process.kill(pid, "SIGKILL")) };
}

test.skipIf(!existsSync("/proc"))(
  "only calls of dead processes are ended, and only here",
  async () => {
    await using here = await createTestFolder();
    await using elsewhere = await createTestFolder();
    using orphan = program(here.path, `${dead}a`);
    using own = program(here.path, createMark());
    using unmarked = program(here.path, "OTHER=1");
    using distant = program(elsewhere.path, `${dead}b`);
    expect(await endOrphans(here.path)).toBe(1);
    const alive = [orphan, own, unmarked, distant].map(({ isAlive }) => isAlive());
    expect(alive).toEqual([false, true, true, true]);
    expect(await endOrphans(here.path)).toBe(0);
  },
);
