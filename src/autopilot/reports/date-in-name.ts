const written =
  /(?<!\d)(20\d\d)([-_.]?)(\d\d)\2(\d\d)(?:[-_.T ]?(\d\d)[-_.:]?(\d\d)(?:[-_.:]?(\d\d))?)?(?!\d)/;

/** The day, and the time if there is one, that a file name states, as milliseconds in UTC; undefined without a real date. */
export function dateInName(name: string): number | undefined {
  const [, year, , month, day, hour = "00", minute = "00", second = "00"] =
    written.exec(name) ?? [];
  if (year === undefined) return undefined;
  const date = `${year}-${month}-${day}`;
  return timeOf(date, `${hour}:${minute}:${second}`) ?? timeOf(date, "00:00:00");
}

/** Only what a calendar has: 31 February is not 3 March. */
function timeOf(date: string, time: string): number | undefined {
  const ms = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(ms)) return undefined;
  return new Date(ms).toISOString().startsWith(`${date}T${time}`) ? ms : undefined;
}
