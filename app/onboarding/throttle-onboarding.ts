import * as z from "zod";
import type { Place } from "../access/place.ts";
import type { JobTask } from "../jobs/job.ts";
import { jobId, type NewJob, repositoryJob } from "../jobs/new-job.ts";
import type { RunParts } from "../runs/run-parts.ts";

/** The pause between two setup pull requests of one installation, so that a large organization is not flooded. */
export const offerPauseMs = 20 * 60_000;

/** When the next one may be opened, milliseconds since 1970. */
const NextOffer = z.object({ next: z.number() });

/** Schedules a repository's offer; the repositories of one installation take turns. */
export function throttledOfferJob(after: string, place: Place): NewJob {
  const group = `offers:${place.installation}`;
  return { id: jobId("pace", after), kind: "pace", group, data: { place } };
}

/** The offer job, at the next free time of the installation; only one job of an installation runs this at a time. */
export async function throttleOffer(
  { notes, clock }: RunParts,
  { id, data: { place } }: JobTask<"pace">,
): Promise<NewJob[]> {
  const key = String(place.installation);
  const note = await notes.get("pace", key);
  const now = clock.now();
  const startAt = Math.max(now, note ? NextOffer.parse(note.data).next : 0);
  const data: z.output<typeof NextOffer> = { next: startAt + offerPauseMs };
  await notes.put({ kind: "pace", id: key, repository: "", at: now, data });
  return [{ ...repositoryJob(jobId("offer", id), { kind: "offer", data: { place } }), startAt }];
}
