import type { DaySpending } from "../../core/decide/budget.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { dayOf } from "../../core/state/usage.ts";
import { RalphError } from "../../error.ts";
import { replayJournal } from "../../journal/journal.ts";
import { type SessionStore, sessionIds } from "../../journal/session-store.ts";

/**
 * Spending that no journal records, one line `day session usd` each. Journals are the truth; this file covers only
 * sessions that `clean` has removed, so that a daily budget does not grow when history goes, and autopilot runs.
 */
const ledgerFile = "spending.txt";

type Entry = DaySpending & { session: string };

/** The spending of all other sessions of the project on the UTC day of `now` (ms since 1970). */
export async function spentByOthers(
  store: SessionStore,
  { sessionId, now }: { sessionId: string; now: number },
): Promise<DaySpending> {
  const day = dayOf(new Date(now).toISOString());
  const kept = await sessionIds(store);
  const others = kept.filter((id) => id !== sessionId);
  const inJournals = await entriesOf(store, others);
  const removed = (await readLedger(store)).filter(({ session }) => !kept.includes(session));
  const today = [...inJournals, ...removed].filter((entry) => entry.day === day);
  return { day, usd: today.reduce((sum, { usd }) => sum + usd, 0) };
}

/** Records spending under the id of an autopilot run. The session that follows has another id, so both count. */
export async function addSpending(
  store: SessionStore,
  { run, usd, now }: { run: string; usd: number; now: number },
): Promise<void> {
  const day = dayOf(new Date(now).toISOString());
  const isOwn = (entry: Entry) => entry.session === run && entry.day === day;
  const known = await readLedger(store);
  const own = known.filter(isOwn);
  const rest = known.filter((entry) => !isOwn(entry) && entry.day >= day);
  const sum = own.reduce((before, entry) => before + entry.usd, usd);
  await writeLedger(store, [...rest, { day, session: run, usd: sum }]);
}

/** Records the spending of sessions before they are removed; idempotent. Forgets past days. */
export async function keepSpending(
  store: SessionStore,
  { sessions, now }: { sessions: readonly string[]; now: number },
): Promise<void> {
  if (sessions.length === 0) return;
  const today = dayOf(new Date(now).toISOString());
  const known = (await readLedger(store)).filter(({ session }) => !sessions.includes(session));
  const entries = [...known, ...(await entriesOf(store, sessions))];
  await writeLedger(
    store,
    entries.filter(({ day }) => day >= today),
  );
}

async function writeLedger(store: SessionStore, entries: readonly Entry[]): Promise<void> {
  const lines = entries.map(({ day, session, usd }) => `${day} ${session} ${usd}\n`);
  if (lines.length > 0) await store.files.write(ledgerFile, lines.join(""), { durable: true });
  else await store.files.remove(ledgerFile);
}

async function entriesOf(store: SessionStore, sessions: readonly string[]): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const session of sessions) {
    const { spentByDay = {} } = (await lastStateOf(store, session)) ?? {};
    entries.push(...Object.entries(spentByDay).map(([day, usd]) => ({ day, session, usd })));
  }
  return entries;
}

/** A broken journal has spent at least what it says up to the break. */
async function lastStateOf(
  store: SessionStore,
  session: string,
): Promise<SessionState | undefined> {
  let last: SessionState | undefined;
  try {
    await replayJournal(store.session(session), (_, state) => {
      last = state;
    });
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
  }
  return last;
}

async function readLedger(store: SessionStore): Promise<Entry[]> {
  const text = (await store.files.read(ledgerFile))?.toString("utf8") ?? "";
  return [...text.matchAll(/^(\d{4}-\d\d-\d\d) (\S+) (\S+)$/gm)].map(
    ([, day = "", session = "", usd]) => ({ day, session, usd: Number(usd) }),
  );
}
