import { findingsOf } from "../summary/findings.ts";
import type { Summary } from "../summary/summary.ts";

/** The findings of the clean room in the work of a task, whatever the journal says. */
export type RoomFinding = { task: string; message: string };

/** Findings of the clean room that the journal does not have. */
export function roomFindings(
  summary: Pick<Summary, "tasks" | "repairs">,
  findings: readonly RoomFinding[] = [],
): RoomFinding[] {
  const known = (["finding", "note"] as const).flatMap((kind) => findingsOf(summary, kind));
  const messagesOf = (task: string) =>
    known.filter(({ id }) => id === task).map(({ finding }) => finding.message);
  // Long messages were cut on their way here.
  return findings.filter(
    ({ task, message }) => !messagesOf(task).some((own) => own.startsWith(message)),
  );
}

/** How many findings keep the pull request a draft. */
export const countFindings = (
  summary: Pick<Summary, "tasks" | "repairs">,
  findings: readonly RoomFinding[] = [],
): number => roomFindings(summary, findings).length + findingsOf(summary, "finding").length;
