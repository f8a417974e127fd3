import type { SessionState } from "../../core/state/session-state.ts";
import { metricsLine } from "./schema/metrics.ts";
import { teamMetricsOf } from "./team-run.ts";

/** The last line of a team's work, word for word as specs 003 have it. */
export function completionLine(state: SessionState): string {
  const metrics = teamMetricsOf(state);
  return `${metrics.tasks_completed} tasks completadas. ${metricsLine(metrics)}.`;
}
