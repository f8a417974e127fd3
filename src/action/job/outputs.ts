import { setOutput } from "@actions/core";
import { stopReasons } from "../../error.ts";
import { cut } from "../../text/plain-text.ts";
import type { Summary } from "../../views/summary/summary.ts";

/** What later steps and jobs may read; each is declared in action.yml. Numbers and paths as text. */
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
] as const;
export type Outputs = Partial<Record<(typeof outputNames)[number], string>>;

/** All outputs of a job together may have 1 MiB; a value that is longer than anybody reads would cost it all of them. */
const maxOutputLength = 32 * 1024;

/** Hands outputs to the runner; a value may hold any characters (T54), and one that is too long is cut. */
export function writeOutputs(outputs: Outputs): void {
  for (const [name, value] of Object.entries(outputs)) setOutput(name, cut(value, maxOutputLength));
}

/** What a session that has ended says of itself. */
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
