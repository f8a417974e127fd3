import type { SessionState, TaskState } from "../../core/state/session-state.ts";

/** `feat(T-001): title`, the criteria, and trailers that name the task, the session and the journal line. */
export function commitMessage(state: SessionState, { task, anchor }: TaskState): string {
  const subject = `feat(${task.id}): ${task.title}`.replace(/\s+/g, " ");
  const criteria = task.acceptanceCriteria.map((text) => `- ${text.replace(/\s+/g, " ")}`);
  const trailers = [
    `Ralph-Task: ${task.id}`,
    `Ralph-Session: ${state.session.session_id}`,
    `Ralph-Journal: ${anchor ?? ""}`,
  ];
  return [subject, criteria.join("\n"), trailers.join("\n")].join("\n\n").concat("\n");
}
