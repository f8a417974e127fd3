import { instantIn, type LocalTime, localTimeIn } from "./zoned-time.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
/** A clock time that has just passed means now, not tomorrow, because notices arrive late. */
const grace = 10 * minute;
/** No limit resets later than this; a larger figure is not a time. */
const horizon = 366 * day;

/**
 * The reset time of a limit notice as ISO text; undefined when it states none that can be read. Tried in this order:
 * seconds since 1970 after `|`, ISO time, time from now, date, clock time. A time without a zone is UTC. `text` is a few
 * kilobytes at most.
 */
export function parseResetTime(text: string, now: number): string | undefined {
  for (const parse of [parseEpoch, parseIso, parseDelay, parseClock]) {
    const at = parse(text, now);
    if (at !== undefined && at > now - day && at < now + horizon) return new Date(at).toISOString();
  }
  return undefined;
}

/** `usage limit reached|1769364000` */
function parseEpoch(text: string): number | undefined {
  const [, digits] = /\|(\d{10}|\d{13})\b/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return digits.length === 10 ? Number(digits) * 1000 : Number(digits);
}

/** `resets at 2026-01-25T21:00:00Z`, with a space for the T, seconds and zone optional. */
function parseIso(text: string): number | undefined {
  const iso = /(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)? ?(Z|UTC|[+-]\d\d:?\d\d)?/.exec(
    text,
  );
  if (!iso) return undefined;
  const [, date, time, zone = "Z"] = iso;
  const offset = zone === "UTC" ? "Z" : zone.replace(/^(...)(\d\d)$/, "$1:$2");
  const at = Date.parse(`${date}T${time}${offset}`);
  return Number.isNaN(at) ? undefined : at;
}

const units: Readonly<Record<string, number>> = {
  d: day,
  h: 60 * minute,
  m: minute,
  s: 1000,
  ms: 1,
};
const amount = String.raw`\d{1,6}(?:\.\d{1,3})?\s*(?:ms|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|[dhms](?![a-z]))`;
const delay = new RegExp(String.raw`\b(?:in|after):?\s+((?:${amount}[\s,]*(?:and )?){1,5})`, "i");

/** `try again in 5 days 22 hours 11 minutes`, `in 1m30s`, `Retry-After: 30`. */
function parseDelay(text: string, now: number): number | undefined {
  const [, header] = /\bretry[ -]after:?\s*(\d{1,7})(?![\d.:]|\s*[a-z])/i.exec(text) ?? [];
  if (header !== undefined) return now + Number(header) * 1000;
  const [, words] = delay.exec(text) ?? [];
  if (words === undefined) return undefined;
  const parts = [...words.matchAll(/([\d.]+)\s*(ms|[dhms])/gi)];
  return parts.reduce((at, [, count, unit = ""]) => at + Number(count) * unitMs(unit), now);
}

const unitMs = (unit: string) => units[unit.toLowerCase()] ?? 0;

const monthNames = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const moment = new RegExp(
  [
    String.raw`(?:reset\w*|again|until|available)\s+(?:(?:at|on)\s+)?`,
    String.raw`(?:(?<month>[a-z]{3})[a-z]* (?<day>\d{1,2})(?:st|nd|rd|th)?,?(?: (?<year>\d{4}),?)?(?: at)? )?`,
    String.raw`(?<hour>\d{1,2})(?::(?<minute>\d\d))?\s*(?<half>[ap]m)?\b`,
    String.raw`(?:\s*\(?(?<zone>[a-z][\w+-]*(?:\/[\w+/-]+)?)\)?)?`,
  ].join(""),
  "i",
);
type Moment = Partial<
  Record<"month" | "day" | "year" | "hour" | "minute" | "half" | "zone", string>
>;

/** `resets 9pm (UTC)`, `4:50am (Europe/Rome)`, `Jan 30, 11:30am (Asia/Calcutta)`, `May 11th, 2026 1:36 PM`. */
function parseClock(text: string, now: number): number | undefined {
  const found: Moment | undefined = moment.exec(text)?.groups;
  // A bare number is not a time of day.
  if (!found || (found.minute === undefined && found.half === undefined)) return undefined;
  const zone = found.zone && localTimeIn(now, found.zone) ? found.zone : "UTC";
  const today = localTimeIn(now, zone);
  return today && instantOf(found, { today: { ...today, ...timeOfDay(found) }, zone, now });
}

function timeOfDay({ hour, minute: minutes = "0", half }: Moment): {
  hour: number;
  minute: number;
} {
  if (half === undefined) return { hour: Number(hour), minute: Number(minutes) };
  const noon = half.toLowerCase() === "pm" ? 12 : 0;
  return { hour: (Number(hour) % 12) + noon, minute: Number(minutes) };
}

type LocalNow = { today: LocalTime; zone: string; now: number };

function instantOf(found: Moment, { today, zone, now }: LocalNow): number | undefined {
  if (found.month === undefined) return nextDaily({ today, zone, now });
  const month = monthNames.indexOf(found.month.toLowerCase()) + 1;
  const year = Number(found.year ?? today.year);
  if (month === 0) return undefined;
  const at = instantIn({ ...today, year, month, day: Number(found.day) }, zone);
  // "Jan 2" read in December is next year's.
  const isLastYear = found.year === undefined && at < now - 180 * day;
  return isLastYear
    ? instantIn({ ...today, year: year + 1, month, day: Number(found.day) }, zone)
    : at;
}

function nextDaily({ today, zone, now }: LocalNow): number {
  const at = instantIn(today, zone);
  return at >= now - grace ? at : instantIn({ ...today, day: today.day + 1 }, zone);
}
