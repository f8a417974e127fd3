import * as z from "zod";
import type { Clock } from "../../src/platform/system.ts";
import type { Place } from "../access/place.ts";
import type { JobData } from "../jobs/job.ts";
import { jobId, type NewJob, repositoryJob } from "../jobs/new-job.ts";
import { readConfigState } from "../repositories/config.ts";
import { readRepository, saveRepository } from "../repositories/repository-note.ts";
import { tickedBoxes } from "../rules/dashboard-boxes.ts";
import { listRuns } from "../runs/dispatched-run.ts";
import { openSite, type RunParts, type Site } from "../runs/run-parts.ts";
import type { Notes } from "../store/notes.ts";
import { changeDashboard, openDashboard, readDashboard } from "./dashboard-issue.ts";
import { type DashboardView, viewDashboard } from "./dashboard-view.ts";
import { renderDashboard } from "./render-dashboard.ts";

/**
 * Updates the dashboard issue with at most one write, and none if nothing has changed. A repository without any run gets
 * no dashboard, and a closed dashboard stays as it is.
 */
export async function refreshDashboard(
  parts: RunParts,
  { place, cleared }: JobData["show"],
): Promise<NewJob[]> {
  const later = await beginUpdate(parts, { place, isUrgent: cleared.length > 0 });
  if (later) return [later];
  const runs = await listRuns(parts.notes, { place });
  const note = await readRepository(parts.notes, place);
  const hasRuns = runs.some(({ state }) => state !== "refused");
  if (note.is_gone || (note.dashboard === undefined && !hasRuns)) return [];
  const site = await openSite(parts, place);
  const config = await readConfigState(parts.access, place);
  const now = parts.clock.now();
  const view = viewDashboard({ runs, isPaused: note.isPaused, config, now });
  const shown = { view, number: note.dashboard, cleared };
  const { number, isWritten } = await updateIssue(site, shown);
  if (isWritten && cleared.length === 0) await countWrite(parts, place);
  if (number !== undefined && number !== note.dashboard) {
    await saveRepository(parts, { ...note, place, dashboard: number });
  }
  return [];
}

type Updating = { view: DashboardView; number: number | undefined; cleared: readonly string[] };

type Updated = { number: number | undefined; isWritten: boolean };

async function updateIssue(site: Site, { view, number, cleared }: Updating): Promise<Updated> {
  const known = number === undefined ? undefined : await readDashboard(site, number);
  const issue = known ?? (await openDashboard(site, renderDashboard(view, new Set())));
  if (!issue || issue.state === "closed") return { number: issue?.number, isWritten: false };
  // A box that was ticked since has a job of its own.
  const open = tickedBoxes(issue.body ?? "").filter((mark) => !cleared.includes(mark));
  const isWritten = await changeDashboard(site, issue, renderDashboard(view, new Set(open)));
  return { number: issue.number, isWritten: isWritten || known === undefined };
}

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
