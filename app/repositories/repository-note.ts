import * as z from "zod";
import type { Clock } from "../../src/platform/system.ts";
import { createCache } from "../access/cache.ts";
import { Place } from "../access/place.ts";
import type { RecordEvent } from "../events/recorder.ts";
import { type NewJob, wakeJob } from "../jobs/new-job.ts";
import type { Notes } from "../store/notes.ts";

/** The App's record of a repository. */
export const RepositoryNote = z.object({
  place: Place,
  /** A person has paused ralph in this repository. */
  isPaused: z.boolean(),
  /** The newest comment that paused or resumed it. */
  paused_by: z.int().optional(),
  /** The schedule on the default branch when it was last read. */
  schedule: z
    .object({
      every: z.enum(["hourly", "daily", "weekly", "weekdays", "twice-daily"]),
      at: z.string(),
    })
    .optional(),
  /** The errors of its configuration when it was last read. */
  problem: z.string().optional(),
  /** Number of the dashboard issue. */
  dashboard: z.int().optional(),
  /** The App can no longer reach it: the repository or the installation was removed. */
  is_gone: z.literal(true).optional(),
  /** The last slot of the schedule that was served, milliseconds since 1970. */
  scheduled_at: z.int().optional(),
});
export type RepositoryNote = z.output<typeof RepositoryNote>;

export type RepositoryNoteParts = { notes: Notes; clock: Pick<Clock, "now"> };

/** The record of a repository; a new one is not paused. */
export async function readRepository(notes: Notes, place: Place): Promise<RepositoryNote> {
  const note = await notes.get("repository", String(place.id));
  return note ? RepositoryNote.parse(note.data) : { place, isPaused: false };
}

const maxRepositories = 10_000;

/** Every known repository, by default only those that the App can reach. */
export async function listRepositories(
  notes: Notes,
  { withGone = false } = {},
): Promise<RepositoryNote[]> {
  const found = await notes.list({ kind: "repository", limit: maxRepositories });
  return found
    .flatMap(({ data }) => RepositoryNote.safeParse(data).data ?? [])
    .filter(({ is_gone }) => withGone || !is_gone);
}

const keptMs = 30_000;

/** Finds the known `.github` repository of an owner, which has the settings for all of its repositories. */
export function createSettingsFinder({ notes, clock }: RepositoryNoteParts) {
  const known = createCache<"all", Map<string, Place>>({ clock, keptMs, most: 1 });
  const read = async () => {
    const all = await listRepositories(notes);
    const own = all.filter(({ place }) => place.repository.toLowerCase().endsWith("/.github"));
    return new Map(own.map(({ place }) => [ownerOf(place), place]));
  };
  return async (owner: string): Promise<Place | undefined> => (await known("all", read)).get(owner);
}

/** GitHub ignores the case of names. */
export const ownerOf = ({ repository }: Pick<Place, "repository">): string =>
  (repository.split("/", 1)[0] ?? "").toLowerCase();

const NamedNote = z.object({
  place: Place.omit({ id: true }),
  is_gone: z.literal(true).optional(),
});

/** Repositories whose record an earlier version kept under a name, and whose id is still unknown. */
export async function listNamedRepositories(notes: Notes): Promise<Omit<Place, "id">[]> {
  const found = await notes.list({ kind: "repository", limit: maxRepositories });
  return found
    .filter(({ id }) => id.includes("/"))
    .flatMap(({ data }) => NamedNote.safeParse(data).data ?? [])
    .filter(({ is_gone }) => !is_gone)
    .map(({ place: { installation, repository } }) => ({ installation, repository }));
}

/** Saves the record of a repository. */
export async function saveRepository(
  { notes, clock }: RepositoryNoteParts,
  note: RepositoryNote,
): Promise<void> {
  const id = String(note.place.id);
  await notes.put({ kind: "repository", id, repository: id, at: clock.now(), data: note });
}

type Pausing = {
  place: Place;
  isPaused: boolean;
  comment?: number | undefined;
  /** The login of the person. */
  by: string | undefined;
};

/**
 * Pauses or resumes a repository. False if a later comment decided otherwise, whichever job runs first.
 */
export async function setPaused(
  parts: RepositoryNoteParts & { record: RecordEvent },
  { place, isPaused, comment, by: actor }: Pausing,
): Promise<boolean> {
  const note = await readRepository(parts.notes, place);
  if (comment !== undefined && comment < (note.paused_by ?? 0)) return note.isPaused === isPaused;
  const by = comment !== undefined && { paused_by: comment };
  await saveRepository(parts, { ...note, ...by, place, isPaused });
  const { id: repository, repository: name } = place;
  parts.record(isPaused ? "paused" : "resumed", { repository, name, actor });
  return true;
}

/** Retries the waiting runs of a resumed repository; an owner's `.github` repository resumes all of their repositories. */
export async function resumedJobs(notes: Notes, place: Place, occasion: string): Promise<NewJob[]> {
  const own = wakeJob(place, ["resumed", occasion]);
  if (!place.repository.toLowerCase().endsWith("/.github")) return [own];
  const all = await listRepositories(notes);
  const others = all.filter((each) => ownerOf(each.place) === ownerOf(place));
  return [own, ...others.map((each) => wakeJob(each.place, ["resumed", occasion]))];
}
