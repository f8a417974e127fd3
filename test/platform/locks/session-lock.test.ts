import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { symlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FileError } from "../../../src/platform/file-error.ts";
import type { LockResult } from "../../../src/platform/locks/exclusive-lock.ts";
import { acquireLock, readLockOwner } from "../../../src/platform/locks/session-lock.ts";
import { hasProgram, nodeCommand, sourceUrl } from "../../support/project/programs.ts";
import { createTestFolder } from "../../support/project/system.ts";

const claim = { session_id: "20260125-143052-abab", started_at: "2026-01-25T14:30:52.000Z" };

/** Takes the lock, says how that went, and keeps it until it is killed. */
const holder = `
  import { acquireLock } from ${JSON.stringify(sourceUrl("platform/locks/session-lock.ts"))};
  import { spawn } from "node:child_process";
  const lock = await acquireLock(process.argv[1], ${JSON.stringify(claim)});
  const child = spawn("/bin/sleep", ["60"], { detached: true, stdio: "ignore" });
  console.log(JSON.stringify({ kind: lock.kind, mechanism: lock.mechanism, child: child.pid }));
  setInterval(() => lock, 1000);`;

type Holder = { process: ChildProcess; kind: string; mechanism: string } & AsyncDisposable;

/** Its detached child lives on when the holder is killed, as an agent's left-over would. */
async function startHolder(path: string, env: NodeJS.ProcessEnv = process.env): Promise<Holder> {
  const { file, args } = nodeCommand(holder);
  const child = spawn(file, [...args, path], { stdio: ["ignore", "pipe", "inherit"], env });
  const [line] = await once(child.stdout, "data");
  const said = JSON.parse(String(line)) as { kind: string; mechanism: string; child: number };
  return {
    ...said,
    process: child,
    async [Symbol.asyncDispose]() {
      await killHolder(child);
      process.kill(said.child, "SIGKILL");
    },
  };
}

async function killHolder(child: ChildProcess): Promise<void> {
  if (child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

async function release(result: LockResult): Promise<void> {
  if (result.kind === "acquired") await result[Symbol.asyncDispose]();
}

test("the second one learns who holds the lock, and may have it afterwards", async () => {
  await using folder = await createTestFolder();
  const path = join(folder.path, "new/session.lock");
  const first = await acquireLock(path, claim);
  const second = await acquireLock(path, { ...claim, session_id: "other" });
  const owner = { ...claim, host: hostname(), pid: process.pid };
  expect(first.kind).toBe("acquired");
  expect(second).toMatchObject({ kind: "held", owner });
  expect(await readLockOwner(path)).toMatchObject(owner);
  await release(first);
  expect(await readLockOwner(path)).toBeUndefined();
  const third = await acquireLock(path, claim);
  expect(third.kind).toBe("acquired");
  await release(third);
});

test("a lock file that is a link is refused", async () => {
  await using folder = await createTestFolder();
  await symlink(join(folder.path, "elsewhere"), join(folder.path, "lock"));
  await expect(acquireLock(join(folder.path, "lock"), claim)).rejects.toBeInstanceOf(FileError);
});

test("an unreadable owner record names no one", async () => {
  await using folder = await createTestFolder();
  const path = join(folder.path, "lock");
  await writeFile(path, '{"session_id": "half');
  expect(await readLockOwner(path)).toBeUndefined();
});

describe.skipIf(!hasProgram("flock"))("two processes", () => {
  test("a living holder is respected; a killed one frees the lock at once, whatever its children do (F12-F14)", async () => {
    await using folder = await createTestFolder();
    const path = join(folder.path, "lock");
    await using other = await startHolder(path);
    expect(other).toMatchObject({ kind: "acquired", mechanism: "flock" });
    const refused = await acquireLock(path, claim);
    expect(refused).toMatchObject({ kind: "held", owner: { pid: other.process.pid } });
    await killHolder(other.process);
    expect(await readLockOwner(path)).toBeUndefined();
    const lock = await acquireLock(path, claim);
    expect(lock.kind).toBe("acquired");
    await release(lock);
  });

  test("flock(1) of a script and ours exclude each other (F15)", async () => {
    await using folder = await createTestFolder();
    const path = join(folder.path, "lock");
    const lock = await acquireLock(path, claim);
    const tryLock = async () =>
      (await once(spawn("flock", ["-n", path, "true"], { stdio: "ignore" }), "exit"))[0];
    expect(await tryLock()).toBe(1);
    await release(lock);
    expect(await tryLock()).toBe(0);
  });
});

test("where the flock program is missing, an exclusive file replaces it and says so (F16)", async () => {
  await using folder = await createTestFolder();
  const path = join(folder.path, "lock");
  const without = { PATH: "/nonexistent" };
  await using other = await startHolder(path, without);
  expect(other).toMatchObject({ kind: "acquired", mechanism: "exclusive-file" });
  expect(await readLockOwner(path)).toMatchObject({ pid: other.process.pid });
  await using second = await startHolder(path, without);
  expect(second.kind).toBe("held");
  await killHolder(other.process);
  await using third = await startHolder(path, without);
  expect(third).toMatchObject({ kind: "acquired", mechanism: "exclusive-file" });
});
