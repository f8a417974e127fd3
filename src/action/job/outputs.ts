import { setOutput } from "@actions/core";
import { stopReasons } from "../../error.ts";
import { cut } from "../../text/plain-text.ts";
import type { Summary } from "../../views/summary/summary.ts";

/** The outputs of the action; each is declared in action.yml. Numbers and paths are text. */
export const outputNames = [
  "status",
  "stop-reason",
  "exit-code",
  "session-id",
  "run-id",
  "tasks-completed",
  "tasks-total",
  "iterations",
  "cost-usd",
  "duration-ms",
  "branch",
  "pr-number",
  "pr-url",
  "run-record",
  "session-dir",
  "bundle",
  "journal-digest",
  "claim",
  "proof",
  "decision",
  "resume-from",
] as const;
export type Outputs = Partial<Record<(typeof outputNames)[number], string>>;

/** The outputs of a job may have 1 MiB together, and a job above that loses all of them. */
const maxOutputLength = 32 * 1024;

/** Writes outputs for the runner; a value may contain any characters (T54) and is cut at 32 KiB. */
export function writeOutputs(outputs: Outputs): void {
  for (const [name, value] of Object.entries(outputs)) setOutput(name, cut(value, maxOutputLength));
}

/** The outputs of a session that has ended. */
export function outputsOf(summary: Summary): Outputs {
  const { status, stop_reason: reason, cost_usd: cost } = summary;
  return {
    status,
    "stop-reason": reason ?? "",
    "exit-code": String(summary.exit_code ?? stopReasons.agent_error),
    "session-id": summary.session_id,
    "tasks-completed": String(summary.tasks_completed),
    "tasks-total": String(summary.tasks_total),
    iterations: String(summary.iterations),
    "cost-usd": cost === null ? "" : String(cost),
    "duration-ms": String(summary.duration_ms),
    branch: summary.branch,
  };
}
