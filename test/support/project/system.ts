import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFiles } from "../../../src/platform/fs/files.ts";
import { ask } from "../../../src/platform/process/ask.ts";
import { startLong } from "../../../src/platform/process/start-long.ts";
import { supervise } from "../../../src/platform/process/supervise.ts";
import type { Clock, Environment, System } from "../../../src/platform/system.ts";

/** Time that stands still, moves by `stepMs` with every look, and by as much as anybody sleeps. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

export function createTestClock({ stepMs = 0 } = {}): TestClock {
  const start = Date.UTC(2026, 0, 25, 14, 30, 52);
  let passedMs = 0;
  const look = () => {
    const seen = passedMs;
    passedMs += stepMs;
    return seen;
  };
  const advance = (ms: number) => {
    passedMs += ms;
  };
  return {
    now: () => start + look(),
    monotonic: look,
    sleep: async (ms) => advance(ms),
    advance,
  };
}

/** A folder of its own below the system's temporary one, with all links resolved. */
export async function createTestFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "ralph-test-")));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

export interface TestSystem extends System, AsyncDisposable {
  /** The temporary folder that goes away with the system. */
  readonly root: string;
  readonly clock: TestClock;
}

/** Real files and processes in a folder of its own; time and randomness can be told beforehand. */
export async function createTestSystem(
  options: { stepMs?: number; env?: Environment } = {},
): Promise<TestSystem> {
  const folder = await createTestFolder();
  const { PATH, HOME } = process.env;
  return {
    root: folder.path,
    files: createFiles,
    ask,
    supervise,
    startLong,
    clock: createTestClock(options),
    randomHex: createTestRandom(),
    env: { PATH, HOME, ...options.env },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** `abab…`, then `acac…`, and so on: told beforehand, yet never the same twice in a row. */
function createTestRandom(): System["randomHex"] {
  let next = 0xab;
  return (bytes) => (next++ & 0xff).toString(16).padStart(2, "0").repeat(bytes);
}
