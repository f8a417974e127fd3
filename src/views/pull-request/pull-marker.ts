/** The origin of one of ralph's pull requests: its run, and the item and report behind it, if any. */
export interface PullMarker {
  /** The session's id, or the autopilot run's. */
  run: string;
  item?: string | undefined;
  report?: string | undefined;
}

const pattern =
  /^<!-- ralph:run:(\d{8}-\d{6}-[a-f0-9]+) item:([\w.:-]{1,100}) report:([\w.:-]{1,100}) -->[^\S\n]*$/m;
const none = "-";

/** The invisible line that identifies a pull request (design 6). */
export function renderPullMarker({ run, item = none, report = none }: PullMarker): string {
  const line = `<!-- ralph:run:${run} item:${item} report:${report} -->`;
  if (!pattern.test(line)) throw new Error(`${JSON.stringify(line)} would never be found again.`);
  return line;
}

/** Reads the marker of a body; it must be on a line of its own. */
export function parsePullMarker(body: string): PullMarker | undefined {
  const [, run, item, report] = pattern.exec(body) ?? [];
  if (!run) return undefined;
  return { run, ...(item !== none && { item }), ...(report !== none && { report }) };
}

/** The line that identifies the metrics comment of a run. */
export const metricsMarker = (run: string): string => `<!-- ralph:metrics:${run} -->`;
