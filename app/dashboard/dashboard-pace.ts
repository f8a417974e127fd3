import * as z from "zod";
import type { Clock } from "../../src/platform/system.ts";
import type { Place } from "../access/place.ts";
import { jobId } from "../jobs/job-id.ts";
import { type NewJob, repositoryJob } from "../jobs/new-job.ts";
import type { Notes } from "../store/notes.ts";

/** How often a dashboard was updated, and when its issue was last written, milliseconds since 1970. */
const Shown = z.object({ updates: z.int(), written: z.array(z.number()) });
type Shown = z.output<typeof Shown>;

type PaceParts = { notes: Notes; clock: Pick<Clock, "now"> };

const minuteMs = 60_000;
/** Writes to a dashboard issue per minute. */
const mostWrites = 2;

async function readShown(notes: Notes, { id }: Place): Promise<Shown> {
  const note = await notes.get("shown", String(id));
  return Shown.safeParse(note?.data).data ?? { updates: 0, written: [] };
}

async function saveShown({ notes, clock }: PaceParts, { id }: Place, data: Shown): Promise<void> {
  const key = String(id);
  await notes.put({ kind: "shown", id: key, repository: key, at: clock.now(), data });
}

/** The next update of a dashboard: all changes before it begins share one job. */
export async function nextUpdateJob(notes: Notes, place: Place): Promise<NewJob> {
  const { updates } = await readShown(notes, place);
  const id = jobId("show", place.id, "update", updates);
  return repositoryJob(id, { kind: "show", data: { place, cleared: [] } });
}

/**
 * Begins an update: changes from now on lead to another one. Undefined if the issue may be written, else the job of a
 * later update, because it was written often enough in the last minute.
 */
export async function beginUpdate(
  parts: PaceParts,
  { place, isUrgent }: { place: Place; isUrgent: boolean },
): Promise<NewJob | undefined> {
  const now = parts.clock.now();
  const { updates, written } = await readShown(parts.notes, place);
  const recent = written.filter((at) => at > now - minuteMs && at <= now);
  await saveShown(parts, place, { updates: updates + 1, written: recent });
  const [oldest = now] = recent;
  if (isUrgent || recent.length < mostWrites) return undefined;
  const job = await nextUpdateJob(parts.notes, place);
  return { ...job, startAt: oldest + minuteMs };
}

/** Counts a write to the issue. */
export async function countWrite(parts: PaceParts, place: Place): Promise<void> {
  const { updates, written } = await readShown(parts.notes, place);
  await saveShown(parts, place, { updates, written: [...written, parts.clock.now()] });
}
