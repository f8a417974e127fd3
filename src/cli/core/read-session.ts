import type { RunEvent } from "../../core/state/event.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { lockPath } from "../../entry/take-lock.ts";
import { RalphError } from "../../error.ts";
import { journalFile, replayJournal } from "../../journal/journal.ts";
import { digestOf } from "../../journal/line.ts";
import { type SessionStore, sessionIds } from "../../journal/session-store.ts";
import { readLockOwner } from "../../platform/locks/session-lock.ts";
import type { LockOwner } from "../../platform/process/lock-owner.ts";

/** The state of a session at one moment, read from its journal. */
export interface SessionSnapshot {
  id: string;
  state: SessionState;
  last: RunEvent;
  /** Each event with the state after it. */
  history: readonly { event: RunEvent; state: SessionState }[];
  /** `seq:hash` of the journal's last line. */
  journal: string;
  /** The process that runs it now. */
  owner: LockOwner | undefined;
  /** Size of the journal before it was read: a different size means new events. */
  bytes: number;
}

/** The named session, else the running one, else the last; undefined when there is no session. */
export async function readSession(
  store: SessionStore,
  named?: string,
): Promise<SessionSnapshot | undefined> {
  const holder = await readLockOwner(lockPath(store));
  const id = await chooseSession(store, { named, running: holder?.session_id });
  if (id === undefined) return undefined;
  const files = store.session(id);
  const bytes = (await files.stat(journalFile))?.bytes ?? 0;
  const history: { event: RunEvent; state: SessionState }[] = [];
  const replay = await replayJournal(files, (event, state) => {
    history.push({ event, state });
  });
  const last = history.at(-1);
  // The session's folder exists before its journal has a line.
  if (!replay || !last) return undefined;
  const journal = digestOf(replay.end);
  const owner = holder?.session_id === id ? holder : undefined;
  return { id, state: last.state, last: last.event, history, journal, owner, bytes };
}

/** Same as `readSession`, but throws a RalphError when there is no session. */
export async function requireSession(
  store: SessionStore,
  named?: string,
): Promise<SessionSnapshot> {
  const seen = await readSession(store, named);
  if (seen) return seen;
  throw new RalphError("source", {
    message: "This project has no session yet.",
    remedy: "Start one with `ralph run`.",
  });
}

async function chooseSession(
  store: SessionStore,
  { named, running }: { named: string | undefined; running: string | undefined },
): Promise<string | undefined> {
  const ids = await sessionIds(store);
  if (named === undefined) return ids.find((id) => id === running) ?? ids.at(-1);
  if (ids.includes(named)) return named;
  throw new RalphError("config", {
    message: `This project has no session ${JSON.stringify(named)}.`,
    remedy: ids.length > 0 ? `Name one of these: ${ids.join(", ")}` : "Start one with `ralph run`.",
  });
}
