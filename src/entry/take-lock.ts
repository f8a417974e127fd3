import { RalphError } from "../error.ts";
import type { SessionStore } from "../journal/session-store.ts";
import type { AcquiredLock } from "../platform/locks/exclusive-lock.ts";
import { acquireLock } from "../platform/locks/session-lock.ts";
import type { LockOwner } from "../platform/process/lock-owner.ts";
import type { System } from "../platform/system.ts";

/** The path of the project's lock; status and cancel read its holder. */
export const lockPath = ({ folder }: Pick<SessionStore, "folder">) => `${folder}/lock`;

/** Takes the project's lock, or exits with 24 and names the session that holds it. */
export async function takeLock(
  { clock }: Pick<System, "clock">,
  store: SessionStore,
  sessionId: string,
): Promise<AcquiredLock> {
  const startedAt = new Date(clock.now()).toISOString();
  const claim = { session_id: sessionId, started_at: startedAt };
  const lock = await acquireLock(lockPath(store), claim);
  if (lock.kind === "acquired") return lock;
  const who = lock.owner ? describeHolder(lock.owner) : "another session";
  throw new RalphError("claim", {
    message: `This project is locked by ${who}.`,
    remedy: "Wait for it, watch it with `ralph status --watch`, or end it with `ralph cancel`.",
  });
}

export function describeHolder({ session_id, pid, host, started_at }: LockOwner): string {
  return `session ${session_id} (process ${pid} on ${host}, since ${started_at})`;
}
