import { spawn } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { expect, test } from "vitest";
import { interrupt, type LockOwner } from "../../../src/platform/process/lock-owner.ts";
import { readStartTime } from "../../../src/platform/process/process-table.ts";

function ownerOf(pid: number, more: Partial<LockOwner> = {}): LockOwner {
  const own = { session_id: "s", started_at: "2026-01-25T14:30:52Z", host: hostname() };
  return { ...own, pid, pid_start: readStartTime(pid) ?? null, ...more };
}

test("exactly the process that holds the lock is interrupted", async () => {
  const child = spawn("sleep", ["60"]);
  await once(child, "spawn");
  const pid = child.pid ?? 0;
  const owner = ownerOf(pid);
  expect(interrupt({ ...owner, pid_start: 1 })).toBe("gone");
  expect(interrupt({ ...owner, host: "elsewhere" })).toBe("elsewhere");
  expect(child.signalCode).toBeNull();
  expect(interrupt(owner)).toBe("sent");
  expect(await once(child, "exit")).toEqual([null, "SIGINT"]);
  expect(interrupt(owner)).toBe("gone");
});
