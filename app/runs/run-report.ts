import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import type { Clock } from "../../src/platform/system.ts";
import type { Place } from "../access/place.ts";
import { ReportedTask } from "../jobs/publication.ts";
import type { Notes } from "../store/notes.ts";
import { dayMs } from "./day-totals.ts";

/** The HTML report of a run's last session, and its tasks. */
export interface RunReport {
  html: string;
  tasks: readonly z.output<typeof ReportedTask>[];
}

const Kept = z.object({ tasks: z.array(ReportedTask), html: z.string() });

/** GitHub keeps the artifacts of a workflow run for the same time. */
const keptMs = 90 * dayMs;
const maxBytes = 4_000_000;

type Saved = RunReport & { place: Place; run: string };

/** Keeps the report of a run in place of an earlier one, and drops those of long ago. */
export async function saveReport(
  { notes, clock }: { notes: Notes; clock: Pick<Clock, "now"> },
  { place, run: id, html, tasks }: Saved,
): Promise<void> {
  const at = clock.now();
  const data = { tasks, html: gzipSync(html).toString("base64") };
  await notes.put({ kind: "report", id, repository: String(place.id), at, data });
  await notes.prune("report", at - keptMs);
}

/** The report of a run; undefined if nothing was published, or long ago. */
export async function readRunReport(
  notes: Pick<Notes, "get">,
  run: string,
): Promise<RunReport | undefined> {
  const kept = Kept.safeParse((await notes.get("report", run))?.data).data;
  if (!kept) return undefined;
  const bytes = gunzipSync(Buffer.from(kept.html, "base64"), { maxOutputLength: maxBytes });
  return { tasks: kept.tasks, html: bytes.toString() };
}
