import type { Place } from "../access/place.ts";
import type { RunNote } from "./dispatched-run.ts";
import type { Start } from "./run-parts.ts";

type Fresh = { id: string; place: Place; start: Start; now: number };

/** The note of a run that begins, with all it takes to try again later. */
export function newRun({ id, place, start, now }: Fresh): RunNote {
  const { asker, trigger, text, goesOn } = start;
  return {
    ...{ id, place, ...workOf(start), state: "claimed" as const },
    ...goesOn,
    ...(asker.sender && { asker: asker.sender.login }),
    wish: { trigger, ...(asker.sender && { sender: asker.sender }), ...(text && { text }) },
    ...{ started_at: now, changed_at: now },
  };
}

/** The same run as it counts from now on: the day it starts is the day it counts for. */
export function begun({ words: _, day, ...run }: RunNote, now: number): RunNote {
  return {
    ...run,
    ...(day && { day: { ...day, began_at: now } }),
    started_at: now,
    changed_at: now,
  };
}

/** What was asked for, out of a note; undefined for one that does not say so. */
export function startOf({ wish, ...run }: RunNote): Start | undefined {
  if (!wish) return undefined;
  const { trigger, sender, text } = wish;
  const { after } = run;
  const goesOn = after !== undefined && { goesOn: { after } };
  return { ...workOf(run), ...goesOn, ...(text && { text }), trigger, asker: { sender } };
}

type Work = Pick<RunNote, "command" | "item" | "issue" | "among">;

/** What is worked on, for the same once more. */
export const workOf = ({ command, item, issue, among }: Work) => ({
  ...{ command, item },
  ...(issue !== undefined && { issue }),
  ...(among && { among }),
});
