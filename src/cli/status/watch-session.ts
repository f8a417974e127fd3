import { lockPath } from "../../entry/take-lock.ts";
import { journalFile } from "../../journal/journal.ts";
import type { SessionStore } from "../../journal/session-store.ts";
import { readLockOwner } from "../../platform/locks/session-lock.ts";
import type { CommandContext } from "../core/command.ts";
import type { Output } from "../core/output.ts";
import { readSession, type SessionSnapshot } from "../core/read-session.ts";

type Watched = {
  store: SessionStore;
  seen: SessionSnapshot;
  show: (seen: SessionSnapshot) => void;
};

/** How often the size of the journal is read. */
const pollMs = 500;

/** Shows a session again when its journal grows, and on a terminal every second, until it ends. Returns 0. */
export async function watchSession(
  context: CommandContext,
  { store, seen, show }: Watched,
): Promise<number> {
  let current = seen;
  show(current);
  while (current.owner && !current.state.end) {
    await untilChanged(context, { store, seen: current, show });
    if (context.signal.aborted) return 0;
    current = (await readSession(store, seen.id)) ?? current;
    show(current);
  }
  return 0;
}

async function untilChanged(
  { system: { clock }, signal, output }: CommandContext,
  { store, seen, show }: Watched,
): Promise<void> {
  const { id, bytes } = seen;
  while (!signal.aborted) {
    const stat = await store.session(id).stat(journalFile);
    const isHeld = (await readLockOwner(lockPath(store)))?.session_id === id;
    if (stat?.bytes !== bytes || !isHeld) return;
    await clock.sleep(pollMs, signal);
    // The clock of the running step; the screen skips a text that has not changed.
    if (output.isTerminal && !output.wantsJson) show(seen);
  }
}

const clear = "\u001b[2J\u001b[H";

/** Shows one text after another. A text that extends the last one is continued, not repeated. */
export function createScreen({ result, isTerminal }: Output): (text: string) => void {
  let shown = "";
  return (text) => {
    if (text === shown) return;
    const isFirst = shown === "";
    const isContinued = !isFirst && text.startsWith(`${shown}\n`);
    if (isContinued) result(text.slice(shown.length + 1));
    else result(isTerminal && !isFirst ? `${clear}${text}` : text);
    shown = text;
  };
}
