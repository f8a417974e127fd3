import type { Run } from "../../core/state/run.ts";
import { metricsLine } from "./schema/metrics.ts";
import { metricsOf } from "./team-run.ts";

/** The last line of a team's work, word for word as specs 003 have it. */
export function completionLine(run: Run): string {
  const metrics = metricsOf(run);
  return `${metrics.tasks_completed} tasks completadas. ${metricsLine(metrics)}.`;
}
