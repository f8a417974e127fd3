import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError, type StopReason, stopReasons } from "../../error.ts";
import type { RunRecordFile } from "../../schema/session-files/run-record.ts";
import { plainLine } from "../../text/plain-text.ts";
import { recordOf } from "../../views/session-files/run-record.ts";
import { runsFolder } from "../reports/processed-reports.ts";

/** What only an autopilot knows; each key is added when its step is done. */
export type AutopilotFacts = Pick<
  RunRecordFile,
  | "report_path"
  | "report_sha256"
  | "item"
  | "item_fingerprint"
  | "analysis_path"
  | "prd_path"
  | "tasks_path"
  | "branch_name"
  | "base_commit"
  | "pr_created"
  | "pr_url"
>;

export interface RecordParts {
  runId: string;
  startedAt: string;
  phase: NonNullable<RunRecordFile["phase"]>;
  facts: AutopilotFacts;
  /** The session that worked through the tasks, once it is there. */
  state?: SessionState;
  /** What ended the run before or after the session. */
  failure?: { at: string; error: unknown };
}

/** The record of an autopilot run: that of its session, and what only an autopilot has (specs 004 10.4). */
export function autopilotRecord({
  runId,
  startedAt,
  phase,
  facts,
  state,
  failure,
}: RecordParts): RunRecordFile {
  const session = state?.end && recordOf(state, state.end);
  const base: RunRecordFile = session ?? {
    run_id: runId,
    started_at: startedAt,
    status: "running",
  };
  const { started_at: _, run_id: __, ...figures } = base;
  return {
    run_id: runId,
    started_at: startedAt,
    ...figures,
    ...facts,
    phase: failure ? endPhase(failure.error) : phase,
    ...(failure && failureOf(failure)),
  };
}

export const recordPath = (runId: string) => `${runsFolder}/${runId}.json`;

/** The text of a run record. */
export const renderRecord = (record: RunRecordFile) => `${JSON.stringify(record, null, 2)}\n`;

function failureOf({ at, error }: NonNullable<RecordParts["failure"]>): Partial<RunRecordFile> {
  const message = error instanceof Error ? error.message : String(error);
  const reason = error instanceof RalphError ? error.reason : undefined;
  return {
    completed_at: at,
    status: isCancel(reason) ? "aborted" : "failed",
    ...(reason !== undefined && stopReasons[reason] !== 0 && { stop_reason: reason }),
    failure_reason: plainLine(message, 1000),
  };
}

const endPhase = (error: unknown): RunRecordFile["phase"] =>
  error instanceof RalphError && isCancel(error.reason) ? "aborted" : "failed";

const isCancel = (reason: StopReason | undefined) => reason === "cancelled";
