import type * as z from "zod";
import { isRecord } from "../../src/schema/base/is-record.ts";
import type { Access } from "../access/access.ts";
import { Place } from "../access/place.ts";
import { workGroup } from "../jobs/new-job.ts";
import { adoptNotes, type PlaceParts, settlePlace } from "../repositories/settle-place.ts";
import type { Queue, TakenJob } from "../store/queue.ts";

export interface SettleParts extends PlaceParts {
  access: Pick<Access, "locate" | "identify">;
  queue: Pick<Queue, "regroup">;
}

/** Kinds that ask for the address themselves, because they also act on a repository that is out of reach. */
const selfSettled = new Set(["recheck", "deleted", "welcome", "pace", "offer", "setup"]);

const Named = Place.omit({ id: true });
type Named = z.output<typeof Named>;

/** The job with its repository under the current address; jobs without a repository stay as they are. */
export async function settleJob(parts: SettleParts, job: TakenJob): Promise<TakenJob> {
  const { kind, group, data } = job;
  const given = isRecord(data) ? Named.safeParse(data.place).data : undefined;
  if (!isRecord(data) || !given) return job;
  const stored = Place.safeParse(data.place).data;
  const place = stored ?? (await adoptNamed(parts, { named: given, group }));
  if (selfSettled.has(kind)) return { ...job, data: { ...data, place } };
  return { ...job, data: { ...data, place: (await settlePlace(parts, place)).place } };
}

/**
 * Gives the jobs and notes that version 1 of the store kept under a repository's name to its id. Until then no other job of
 * the repository may run.
 */
export async function adoptNamed(
  parts: SettleParts,
  { named, group }: { named: Named; group: string },
): Promise<Place> {
  const { createdAt, ...place } = await parts.access.identify(named);
  if (!(await parts.queue.regroup(group, workGroup(place)))) {
    throw new Error(`Another job of ${place.repository} is running; this one is tried again.`);
  }
  await adoptNotes(parts, { place, name: named.repository, createdAt });
  return place;
}
