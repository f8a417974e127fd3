/** Calendar and clock in some time zone; `day` may exceed the end of the month. */
export interface LocalTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

/** Calendar and clock at an instant (ms since 1970) in an IANA zone; undefined for an unknown zone. */
export function localTimeIn(instant: number, zone: string): LocalTime | undefined {
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      ...fields,
    });
    const parts = format.formatToParts(instant);
    const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
    return {
      year: part("year"),
      month: part("month"),
      day: part("day"),
      hour: part("hour"),
      minute: part("minute"),
    };
  } catch {
    return undefined;
  }
}

const fields = {
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
} as const;

/** The instant of a local time in a known zone. Computed twice, because a clock change may follow the first guess. */
export function instantIn(time: LocalTime, zone: string): number {
  const asUtc = utcOf(time);
  const guess = asUtc - offsetAt(asUtc, zone);
  return asUtc - offsetAt(guess, zone);
}

const utcOf = ({ year, month, day, hour, minute }: LocalTime) =>
  Date.UTC(year, month - 1, day, hour, minute);

function offsetAt(instant: number, zone: string): number {
  const local = localTimeIn(instant, zone);
  const wholeMinute = Math.floor(instant / 60_000) * 60_000;
  return local ? utcOf(local) - wholeMinute : 0;
}
