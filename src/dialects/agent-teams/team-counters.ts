import type { SessionState } from "../../core/state/session-state.ts";
import type { ForeignFile } from "../dialect.ts";
import { parseRecord, renderJson } from "../json-text.ts";
import { checkFailures, type TeamFailures } from "./schema/failures.ts";
import { checkMetrics, type TeamMetrics } from "./schema/metrics.ts";
import { teamFailuresOf, teamMetricsOf } from "./team-run.ts";

export const failuresPath = ".ralph/failures.json";

/** The counters of ralph's workers; those of other teammates stay. Teammates lock the file itself (compatibility 5). */
export function failuresJson(state: SessionState): ForeignFile {
  const ours = teamFailuresOf(state);
  return {
    path: failuresPath,
    locks: [failuresPath],
    inPlace: true,
    ours: JSON.stringify(ours),
    merge: (text) => withFailures(text, ours),
  };
}

/** The file with some counters replaced; undefined for an invalid file. */
export function withFailures(text: string | undefined, ours: TeamFailures): string | undefined {
  const before = parseRecord(text);
  if (!before || checkFailures(before).length > 0) return undefined;
  return renderJson({ ...before, ...ours });
}

export const metricsPath = ".ralph/metrics.json";

/** The names of the same figures in the other format; they are removed, so that a file never contradicts itself. */
const otherNames = ["total_tasks", "successful_tasks", "failed_tasks"];

/** The figures of the session; other keys of the file stay. Teammates lock the file itself (compatibility 5). */
export function metricsJson(state: SessionState): ForeignFile {
  const ours = teamMetricsOf(state);
  return {
    path: metricsPath,
    locks: [metricsPath],
    inPlace: true,
    ours: JSON.stringify(ours),
    merge: (text) => withMetrics(text, ours),
  };
}

/** The file with the figures of the specification; undefined for an invalid file. */
export function withMetrics(text: string | undefined, ours: TeamMetrics): string | undefined {
  const before = parseRecord(text);
  if (!before || checkMetrics(before).length > 0) return undefined;
  const rest = Object.entries(before).filter(([name]) => !otherNames.includes(name));
  return renderJson({ ...ours, ...Object.fromEntries(rest), ...ours });
}
