import type { Place } from "../access/place.ts";
import { type NewJob, wakeJob } from "../jobs/new-job.ts";
import type { Notes } from "../store/notes.ts";
import { listRepositories, ownerOf } from "./repository-note.ts";

/** Retries the waiting runs of a resumed repository; an owner's `.github` repository stands for all of its repositories. */
export async function resumedJobs(notes: Notes, place: Place, occasion: string): Promise<NewJob[]> {
  const own = wakeJob(place, ["resumed", occasion]);
  if (!place.repository.toLowerCase().endsWith("/.github")) return [own];
  const all = await listRepositories(notes);
  const others = all.filter((each) => ownerOf(each.place) === ownerOf(place));
  return [own, ...others.map((each) => wakeJob(each.place, ["resumed", occasion]))];
}
