import type { Autopilot } from "../../src/schema/config/autopilot.ts";

/** How often something is to start by itself; `at` is a time of day such as "02:00", UTC. */
export interface Schedule {
  every: NonNullable<Autopilot["schedule"]>;
  at: string;
}

/** `due`: the slot is to be served; `skipped`: it only counts as served; `none`: there is nothing new. */
export type DueSlot = { kind: "due" | "skipped"; slot: number } | { kind: "none" };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Between two slots of the rarest schedule. */
const longestMs = 7 * dayMs;

/** The first day of the clock, 1970-01-01, was a Thursday; 0 is Monday. */
const weekdayOf = (time: number) => (Math.floor(time / dayMs) + 3) % 7;

/** Whether a slot that begins on a day counts. */
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
 * Which slot of a schedule is to be served now, given the last that was. Slots nobody served are served once, the newest
 * of them; none is served twice, also when the clock goes back. A schedule that is new begins with its next slot. Pure.
 */
export function dueSlot(
  schedule: Schedule,
  { now, last }: { now: number; last: number | undefined },
): DueSlot {
  const slot = newestSlot(schedule, now);
  // A slot so far ahead was served by a clock that was wrong.
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
