import type { Summary } from "../summary/summary.ts";

/** The findings of the clean room in the work of a task, whatever the journal says. */
export type RoomFinding = { task: string; message: string };

/** Findings of the clean room that the journal does not have. */
export function roomFindings(
  { tasks }: Pick<Summary, "tasks">,
  findings: readonly RoomFinding[] = [],
): RoomFinding[] {
  const messagesOf = (task: string) =>
    tasks.find(({ id }) => id === task)?.proof?.findings.map(({ message }) => message) ?? [];
  // Long messages were cut on their way here.
  return findings.filter(
    ({ task, message }) => !messagesOf(task).some((known) => known.startsWith(message)),
  );
}

/** How many findings keep the pull request a draft. */
export const countFindings = (
  summary: Pick<Summary, "tasks">,
  findings: readonly RoomFinding[] = [],
): number =>
  roomFindings(summary, findings).length +
  summary.tasks
    .flatMap(({ proof }) => proof?.findings ?? [])
    .filter(({ kind }) => kind === "finding").length;
