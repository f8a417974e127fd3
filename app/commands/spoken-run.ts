import type { Place } from "../access/place.ts";
import type { Wanted } from "../rules/wanted.ts";
import { isOpen, listRuns, type RunNote } from "../runs/dispatched-run.ts";
import type { Notes } from "../store/notes.ts";

type Spoken = { place: Place; steer: Extract<Wanted, { kind: "steer" }>; but: string };

/** The run a comment speaks of: one that works, one that waits, else the newest that has begun. */
export async function findSpoken(
  notes: Notes,
  { place, steer, but }: Spoken,
): Promise<RunNote | undefined> {
  const all = await listRuns(notes, { repositories: [place.repository] });
  // What this very comment has started, before somebody was killed, is none it speaks of.
  const own = all.filter((run) => run.id !== but && isAbout(run, steer));
  const open = own.find((run) => isOpen(run) && run.state !== "waiting") ?? own.find(isOpen);
  // Whoever asks how it stands hears of a wish that was refused since; to all others it hides nothing.
  const over = steer.command.verb === "status" ? own[0] : own.find(hasBegun);
  return open ?? over ?? own[0];
}

/** An autopilot that was asked for in a pull request belongs there, too; its own work is another one's. */
function isAbout({ issue, pull }: RunNote, { issue: number, isPull, command }: Spoken["steer"]) {
  if (isPull && pull?.number === number) return true;
  return issue === number && !(isPull && command.verb === "run");
}

const hasBegun = ({ workflow, after }: RunNote) => workflow !== undefined || after !== undefined;
