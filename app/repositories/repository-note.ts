import * as z from "zod";
import type { Clock } from "../../src/platform/system.ts";
import type { Place } from "../access/place.ts";
import type { Notes } from "../store/notes.ts";

/** What the App remembers of a repository it is installed in. */
export const RepositoryNote = z.object({
  place: z.object({ installation: z.int(), repository: z.string() }),
  /** Somebody has said that nothing may start for now. */
  isPaused: z.boolean(),
  /** The newest comment that has said so, or that runs may start again. */
  paused_by: z.int().optional(),
  /** How often it starts by itself, as the default branch had it when it was last read. */
  schedule: z
    .object({
      every: z.enum(["hourly", "daily", "weekly", "weekdays", "twice-daily"]),
      at: z.string(),
    })
    .optional(),
  /** Number of the issue that shows how everything stands. */
  dashboard: z.int().optional(),
  /** The App cannot reach it any more: it was removed, or its installation. */
  is_gone: z.literal(true).optional(),
  /** The last slot of the schedule that was served, milliseconds since 1970. */
  scheduled_at: z.int().optional(),
});
export type RepositoryNote = z.output<typeof RepositoryNote>;

/** Where it is remembered, and when. */
export type RepositoryNoteParts = { notes: Notes; clock: Pick<Clock, "now"> };

/** What is remembered of a repository; a new one is not paused. */
export async function readRepository(notes: Notes, place: Place): Promise<RepositoryNote> {
  const note = await notes.get("repository", place.repository);
  return note ? RepositoryNote.parse(note.data) : { place, isPaused: false };
}

const maxRepositories = 10_000;

/** Every repository the App knows and may still reach. */
export async function listRepositories(notes: Notes): Promise<RepositoryNote[]> {
  const found = await notes.list({ kind: "repository", limit: maxRepositories });
  return found.map(({ data }) => RepositoryNote.parse(data)).filter(({ is_gone }) => !is_gone);
}

/** Changes what is remembered of a repository. */
export async function saveRepository(
  { notes, clock }: RepositoryNoteParts,
  note: RepositoryNote,
): Promise<void> {
  const { repository } = note.place;
  await notes.put({ kind: "repository", id: repository, repository, at: clock.now(), data: note });
}

type Pausing = { place: Place; isPaused: boolean; comment?: number | undefined };

/**
 * Stops everything from starting in a repository, or lets it start again. False: a comment that came later has said
 * something else, whichever of them is done first.
 */
export async function setPaused(
  parts: RepositoryNoteParts,
  { place, isPaused, comment }: Pausing,
): Promise<boolean> {
  const note = await readRepository(parts.notes, place);
  if (comment !== undefined && comment < (note.paused_by ?? 0)) return note.isPaused === isPaused;
  const by = comment !== undefined && { paused_by: comment };
  await saveRepository(parts, { ...note, ...by, place, isPaused });
  return true;
}
