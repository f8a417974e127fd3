import { expect, test } from "vitest";
import { type DueSlot, dueSlot, type Schedule } from "../../../app/schedule/schedule.ts";

const at = (text: string) => Date.parse(`${text}Z`);
const schedule = (every: Schedule["every"], time = "02:00"): Schedule => ({ every, at: time });
const due = (text: string): DueSlot => ({ kind: "due", slot: at(text) });
const skipped = (text: string): DueSlot => ({ kind: "skipped", slot: at(text) });
const none: DueSlot = { kind: "none" };

/** 2026-01-19 is a Monday. */
type Row = [what: string, Schedule, now: string, last: string | undefined, DueSlot];
const rows: Row[] = [
  [
    "a new schedule begins with its next slot",
    schedule("daily"),
    "2026-01-20T10:00",
    undefined,
    skipped("2026-01-20T02:00"),
  ],
  ["before its time", schedule("daily"), "2026-01-20T01:59:59", "2026-01-19T02:00", none],
  [
    "at its time",
    schedule("daily"),
    "2026-01-20T02:00",
    "2026-01-19T02:00",
    due("2026-01-20T02:00"),
  ],
  ["after it was served", schedule("daily"), "2026-01-20T02:01", "2026-01-20T02:00", none],
  [
    "recorded between two slots",
    schedule("daily"),
    "2026-01-20T02:00",
    "2026-01-19T15:12",
    due("2026-01-20T02:00"),
  ],
  [
    "three days missed are one slot",
    schedule("daily"),
    "2026-01-23T09:00",
    "2026-01-20T02:00",
    due("2026-01-23T02:00"),
  ],
  [
    "every hour at its minute",
    schedule("hourly", "02:30"),
    "2026-01-20T07:29",
    "2026-01-20T06:30",
    none,
  ],
  [
    "the next hour",
    schedule("hourly", "02:30"),
    "2026-01-20T07:30",
    "2026-01-20T06:30",
    due("2026-01-20T07:30"),
  ],
  [
    "the first hour of a day",
    schedule("hourly", "02:30"),
    "2026-01-20T00:10",
    "2026-01-19T22:30",
    due("2026-01-19T23:30"),
  ],
  [
    "the second time of a day",
    schedule("twice-daily", "15:00"),
    "2026-01-20T03:00",
    "2026-01-19T15:00",
    due("2026-01-20T03:00"),
  ],
  [
    "between the two",
    schedule("twice-daily", "15:00"),
    "2026-01-20T14:59",
    "2026-01-20T03:00",
    none,
  ],
  [
    "Friday is a weekday",
    schedule("weekdays"),
    "2026-01-23T02:00",
    "2026-01-22T02:00",
    due("2026-01-23T02:00"),
  ],
  ["nothing on Saturday", schedule("weekdays"), "2026-01-24T12:00", "2026-01-23T02:00", none],
  ["nothing on Sunday", schedule("weekdays"), "2026-01-25T12:00", "2026-01-23T02:00", none],
  [
    "Monday again",
    schedule("weekdays"),
    "2026-01-26T02:00",
    "2026-01-23T02:00",
    due("2026-01-26T02:00"),
  ],
  [
    "a week begins on Monday",
    schedule("weekly", "23:59"),
    "2026-01-26T23:59",
    "2026-01-19T23:59",
    due("2026-01-26T23:59"),
  ],
  ["late on a Sunday", schedule("weekly", "23:59"), "2026-01-26T23:58", "2026-01-19T23:59", none],
  ["the clock goes back an hour", schedule("hourly"), "2026-01-20T06:30", "2026-01-20T07:00", none],
  ["the clock goes back a day", schedule("daily"), "2026-01-19T12:00", "2026-01-20T02:00", none],
  [
    "the clock was a year ahead",
    schedule("daily"),
    "2026-01-20T12:00",
    "2027-01-20T02:00",
    skipped("2026-01-20T02:00"),
  ],
  [
    "the clock jumps ahead by a month",
    schedule("weekly"),
    "2026-02-20T12:00",
    "2026-01-19T02:00",
    due("2026-02-16T02:00"),
  ],
];

test.each(rows)("a schedule: %s", (_, every, now, last, expected) => {
  const times = { now: at(now), last: last === undefined ? undefined : at(last) };
  expect(dueSlot(every, times)).toEqual(expected);
});

test("whenever the clock checks, each slot is served once and in order", () => {
  for (const every of ["hourly", "daily", "weekly", "weekdays", "twice-daily"] as const) {
    let last: number | undefined = at("2026-01-19T00:00");
    const served: number[] = [];
    for (let now = last; now < at("2026-02-02T00:00"); now += 7 * 60_000) {
      const found = dueSlot(schedule(every, "05:17"), { now, last });
      if (found.kind === "none") continue;
      served.push(found.slot);
      last = found.slot;
    }
    const perFortnight = { hourly: 336, daily: 14, weekly: 2, weekdays: 10, "twice-daily": 28 };
    expect(served, every).toEqual([...new Set(served)].toSorted());
    expect(served, every).toHaveLength(perFortnight[every]);
  }
});
