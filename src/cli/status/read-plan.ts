import {
  type AutopilotRun,
  readAutopilotRun,
  readLastAutopilotRun,
} from "../../autopilot/run/autopilot-run.ts";
import { lockPath } from "../../entry/take-lock.ts";
import { lastSessionId, type SessionStore, sessionIds } from "../../journal/session-store.ts";
import { readLockOwner } from "../../platform/locks/lock.ts";
import type { LockOwner } from "../../platform/process/lock-owner.ts";

/** An autopilot run that has no session: it is planning, or it stopped there. */
export interface SeenPlan {
  run: AutopilotRun;
  /** The process that works on it now. */
  owner: LockOwner | undefined;
}

/** The run that plans now, else one that stopped before its session; undefined when a session is the news. */
export async function readLastPlan(store: SessionStore): Promise<SeenPlan | undefined> {
  const owner = await readLockOwner(lockPath(store));
  const id = owner?.session_id ?? "";
  if ((await sessionIds(store)).includes(id)) return undefined;
  const own = owner && (await readAutopilotRun(store, id));
  const run = own ?? (await readStopped(store));
  // Its session has the lock before it has a journal.
  const isAtWork = own !== undefined || run?.record?.phase === "executing";
  return run && { run, owner: isAtWork ? owner : undefined };
}

async function readStopped(store: SessionStore): Promise<AutopilotRun | undefined> {
  const run = await readLastAutopilotRun(store);
  if (!run || run.completed) return undefined;
  const session = (await lastSessionId(store)) ?? "";
  return timeOf(session) < timeOf(run.run_id) ? run : undefined;
}

/** Up to the second, in which a run may come to its session. */
const timeOf = (id: string) => id.slice(0, "20260125-143052".length);
