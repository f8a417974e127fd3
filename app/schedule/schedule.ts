import type { Autopilot } from "../../src/schema/config/autopilot.ts";
import { createWorkRequest } from "../../src/schema/work-request.ts";
import type { JobTask } from "../jobs/job.ts";
import { jobId, type NewJob, repositoryJob } from "../jobs/new-job.ts";
import {
  type RepositoryNote,
  readRepository,
  saveRepository,
} from "../repositories/repository-note.ts";
import type { RunParts, Start } from "../runs/run-parts.ts";
import { startRun } from "../runs/start-run.ts";

/** A job for each repository with a new slot; the same slot adds one job. Pure. */
export function scheduleJobs(repositories: readonly RepositoryNote[], now: number): NewJob[] {
  return repositories.flatMap(({ place, schedule, scheduled_at: last }) => {
    const due = schedule && dueSlot(schedule, { now, last });
    if (!due || due.kind === "none") return [];
    const id = jobId("schedule", place.id, due.kind, due.slot);
    return [repositoryJob(id, { kind: "schedule", data: { place, ...due } })];
  });
}

/**
 * Serves a slot: starts an autopilot on the newest unprocessed report, if the default branch still has a schedule. The
 * slot is marked as served at the end, so that an interrupted one is repeated.
 */
export async function serveSlot(
  parts: RunParts,
  { id, data: { place, slot, kind } }: JobTask<"schedule">,
): Promise<void> {
  const schedule = (await parts.access.config(place))?.autopilot.schedule;
  if (kind === "due" && schedule) await startRun(parts, { id, place, start: scheduled });
  const note = await readRepository(parts.notes, place);
  await saveRepository(parts, { ...note, scheduled_at: slot });
}

/** A request without an actor: only the configuration asks for it. */
const scheduled: Start = {
  request: createWorkRequest({ command: "autopilot", item: "reports", trigger: "schedule" }),
};

/** A schedule; `at` is a time of day such as "02:00", UTC. */
export interface Schedule {
  every: NonNullable<Autopilot["schedule"]>;
  at: string;
}

/** `due`: serve the slot; `skipped`: only mark it as served; `none`: there is no new slot. */
export type DueSlot = { kind: "due" | "skipped"; slot: number } | { kind: "none" };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The longest time between two slots. */
const longestMs = 7 * dayMs;

/** 0 is Monday; 1970-01-01 was a Thursday. */
const weekdayOf = (time: number) => (Math.floor(time / dayMs) + 3) % 7;

/** Whether a schedule has a slot at this time. */
const isOn: Record<Schedule["every"], (slot: number) => boolean> = {
  hourly: () => true,
  "twice-daily": () => true,
  daily: () => true,
  weekdays: (slot) => weekdayOf(slot) < 5,
  weekly: (slot) => weekdayOf(slot) === 0,
};

const stepMs: Record<Schedule["every"], number> = {
  hourly: hourMs,
  "twice-daily": dayMs / 2,
  daily: dayMs,
  weekdays: dayMs,
  weekly: dayMs,
};

/**
 * Which slot to serve now, given the last served one. Of several missed slots only the newest is served; no slot is
 * served twice, even if the clock goes back. A new schedule begins with its next slot. Pure.
 */
export function dueSlot(
  schedule: Schedule,
  { now, last }: { now: number; last: number | undefined },
): DueSlot {
  const slot = newestSlot(schedule, now);
  // A slot so far ahead was served by a wrong clock.
  if (last === undefined || last > now + longestMs) return { kind: "skipped", slot };
  return slot > last ? { kind: "due", slot } : { kind: "none" };
}

/** The newest slot that has begun. */
function newestSlot({ every, at }: Schedule, now: number): number {
  const step = stepMs[every];
  const [hours = 0, minutes = 0] = at.split(":").map(Number);
  const offset = (hours * hourMs + minutes * minuteMs) % step;
  let slot = Math.floor((now - offset) / step) * step + offset;
  while (!isOn[every](slot)) slot -= step;
  return slot;
}
