import type { Place } from "../access.ts";
import type { RunNote } from "./run-note.ts";
import type { Start } from "./start-run.ts";

type Fresh = { id: string; place: Place; start: Start; now: number };

/** The note of a run that begins, with all it takes to try again later. */
export function newRun({ id, place, start, now }: Fresh): RunNote {
  const { command, item, issue, asker, trigger } = start;
  return {
    ...{ id, place, command, item, state: "claimed" as const },
    ...(issue !== undefined && { issue }),
    ...(asker.sender && { asker: asker.sender.login }),
    wish: { trigger, ...(asker.sender && { sender: asker.sender }) },
    ...{ started_at: now, changed_at: now },
  };
}

/** The same run as it counts from now on: the day it starts is the day it counts for. */
export function begun({ words: _, waits_for: __, ...run }: RunNote, now: number): RunNote {
  return { ...run, started_at: now, changed_at: now };
}

/** What was asked for, out of a note; undefined for one that does not say so. */
export function startOf({ command, item, issue, wish }: RunNote): Start | undefined {
  if (!wish) return undefined;
  const { trigger, sender } = wish;
  return { command, item, ...(issue !== undefined && { issue }), trigger, asker: { sender } };
}
