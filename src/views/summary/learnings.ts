import type { SessionState } from "../../core/state/session-state.ts";
import { parseCompletionReport } from "./completion-report.ts";
import { type PassedTask, passedTasks } from "./passed-tasks.ts";

/** `memory.learnings` of the configuration. */
export type LearningsMode = "propose" | "write" | "off";

export type TaskLearnings = { task: PassedTask; learnings: readonly string[] };

/** The "Learnings" that the agents of passed tasks report, oldest first; escaped and bounded. */
export function readLearnings(state: SessionState): TaskLearnings[] {
  return passedTasks(state)
    .map((task) => ({ task, learnings: parseCompletionReport(task.claim ?? "").learnings }))
    .filter(({ learnings }) => learnings.length > 0);
}

/** Agents obey AGENTS.md, so only a person's own task list may write there (T07, decision 0014). */
export const writesLearnings = (mode: LearningsMode, { session }: SessionState): boolean =>
  mode === "write" && session.list_author !== "model";
