import type { SessionState } from "../../core/state/session-state.ts";
import type { RunRecordFile } from "../../schema/session-files/run-record.ts";
import { plainLine } from "../../text/plain-text.ts";
import { sessionStatusOf } from "../summary/outcome.ts";
import { summarizeVerification } from "../summary/summary-verification.ts";
import { passedTasks, totalsOf } from "../summary/totals.ts";
import type { RenderView } from "../view.ts";

/** `run-record.json` of a plain run, written at its end: the figures without the fields of an autopilot run (design 4). */
export const runRecord: RenderView = {
  kind: "render",
  name: "run-record",
  path: "run-record.json",
  render: (state) => state.end && `${JSON.stringify(recordOf(state, state.end), null, 2)}\n`,
};

/** The record of an ended session; an autopilot run adds its own fields. */
export function recordOf(
  state: SessionState,
  end: NonNullable<SessionState["end"]>,
): RunRecordFile {
  const { session, startedAt, usage, usageByRole } = state;
  const { completed, total, iterations, durationMs } = totalsOf(state);
  const status = sessionStatusOf(state);
  return {
    run_id: session.session_id,
    started_at: startedAt,
    completed_at: end.at,
    status,
    stop_reason: end.reason,
    ...(status !== "completed" && { failure_reason: plainLine(end.message, 1000) }),
    tasks_path: session.source.path,
    branch_name: session.branch,
    base_commit: session.start.commit,
    session_id: session.session_id,
    tasks_completed: completed,
    tasks_total: total,
    iterations,
    duration_ms: durationMs,
    ...(usage.cost_usd !== undefined && { cost_usd: usage.cost_usd }),
    ...(Object.keys(usageByRole).length > 0 && { usage_by_role: usageByRole }),
    ...verificationOf(state),
    ...(passedTasks(state).length > 0 && { proof: "in_place" }),
  };
}

function verificationOf(state: SessionState): Pick<RunRecordFile, "verification"> {
  const verification = summarizeVerification(state);
  if (!verification) return {};
  const { level, status, tests } = verification;
  const fixes = (state.repairs?.ended ?? []).filter(({ commit }) => commit !== undefined).length;
  const count = (asked: string) => tests.filter((test) => test.status === asked).length;
  return {
    verification: {
      ...{ level, status },
      ...{ passed: count("passed"), failed: count("failed"), skipped: count("skipped") },
      ...(fixes > 0 && { fixes }),
    },
  };
}
