import { dayMs } from "../runs/day-totals.ts";
import { DispatchedRun } from "../runs/dispatched-run.ts";
import type { Note, NoteKey, Notes, NotesQuery } from "../store/notes.ts";
import { parseDay } from "./day-span.ts";
import type { Visit } from "./visit.ts";

/** The number of runs per page. */
export const pageSize = 50;

export interface RunsQuery extends Pick<NotesQuery, "statuses" | "since" | "before" | "limit"> {
  repositories: Visit["repositories"];
}

/** A page of runs, newest first; `next` is where the next page begins. */
export interface RunsPage {
  runs: DispatchedRun[];
  next: NoteKey | undefined;
}

/** The runs a person may see. Unreadable notes, such as those of a later version, are left out. */
export async function findRuns(
  notes: Pick<Notes, "list">,
  { repositories, limit, ...wanted }: RunsQuery,
): Promise<RunsPage> {
  const ids = [...repositories.keys()].map(String);
  const found = await notes.list({
    ...{ ...wanted, kind: "run", repositories: ids, limit: limit + 1 },
  });
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  const runs = shown.flatMap((note) => readRun(note, repositories) ?? []);
  return { runs, next: last && { at: last.at, id: last.id } };
}

/** The run in a note under its repository's current address, if the person may see it: by the repository's id. */
function readRun(note: Note, repositories: Visit["repositories"]): DispatchedRun | undefined {
  const readable = repositories.get(Number(note.repository));
  const run = DispatchedRun.safeParse(note.data).data;
  return run && readable && { ...run, place: readable.place };
}

/** The run that a page is about, if the person may see it. */
export async function findAskedRun(
  { notes }: { notes: Pick<Notes, "get"> },
  { repositories, asked }: Visit,
): Promise<DispatchedRun | undefined> {
  const note = await notes.get("run", asked.parts[0] ?? "");
  return note && readRun(note, repositories);
}

/** The start of a page, for a link. */
export const renderNoteKey = ({ at, id }: NoteKey): string => `${at}.${id}`;

export function parseNoteKey(text: string | null): NoteKey | undefined {
  const [, at, id] = /^(\d{1,16}(?:\.\d{1,6})?)\.([\w-]{1,100})$/.exec(text ?? "") ?? [];
  return at === undefined || id === undefined ? undefined : { at: Number(at), id };
}

/** The start of the page whose newest run is of a day (UTC) such as `2026-01-25`; undefined for an invalid day. */
export function endOfDay(text: string): NoteKey | undefined {
  const at = parseDay(text);
  return at === undefined ? undefined : { at: at + dayMs, id: "" };
}
