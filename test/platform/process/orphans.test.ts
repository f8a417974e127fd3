import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, rmdirSync } from "node:fs";
import { expect, test } from "vitest";
import { createMark, endOrphans } from "../../../src/platform/process/orphans.ts";
import { createTestFolder } from "../../support/project/system.ts";

const dead = "RALPH_CALL=99999999-1-";

interface Program extends Disposable {
  isAlive: () => boolean;
  /** Until it has ended. */
  ended: Promise<unknown>;
}

/** A program of a call, in a session of its own; ended with the test. */
function program(cwd: string, mark: string): Program {
  const [name = "", value] = mark.split("=");
  const env = { PATH: process.env.PATH, [name]: value };
  const child = spawn("sleep", ["1000"], { cwd, env, stdio: "ignore", detached: true });
  return {
    isAlive: () => child.exitCode === null && child.signalCode === null,
    ended: once(child, "exit"),
    [Symbol.dispose]: () => void child.kill("SIGKILL"),
  };
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
    expect(await endOrphans([here.path, `${here.path}-other`])).toBeGreaterThanOrEqual(1);
    await orphan.ended;
    const alive = [orphan, own, unmarked, distant].map(({ isAlive }) => isAlive());
    expect(alive).toEqual([false, true, true, true]);
  },
);

test.skipIf(!existsSync("/proc"))(
  "calls of dead processes in a removed folder are ended",
  async () => {
    await using here = await createTestFolder();
    const gone = `${here.path}/gone`;
    mkdirSync(gone);
    using orphan = program(gone, `${dead}c`);
    using own = program(gone, createMark());
    using stays = program(here.path, `${dead}d`);
    rmdirSync(gone);
    expect(await endOrphans([])).toBeGreaterThanOrEqual(1);
    await orphan.ended;
    expect([orphan, own, stays].map(({ isAlive }) => isAlive())).toEqual([false, true, true]);
  },
);
