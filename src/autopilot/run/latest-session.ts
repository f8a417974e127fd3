import type { Planning } from "../../core/state/event.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { isAllDone } from "../../core/state/steer.ts";
import { replayJournal } from "../../journal/journal.ts";
import { type SessionStore, sessionIds } from "../../journal/session-store.ts";
import type { AutopilotRun } from "./autopilot-run.ts";
import type { RunSession } from "./run-request.ts";

/** The progress of the newest session, if it is on the run's branch. */
export type SessionProgress =
  | { kind: "none" }
  | { kind: "open" }
  | { kind: "done"; state: SessionState };

/** Only the newest session can be resumed. A session in which every task is done is not run again. */
export async function latestSession(
  store: SessionStore,
  branch: string | undefined,
): Promise<SessionProgress> {
  for (const id of (await sessionIds(store)).toReversed()) {
    const replay = await replayJournal(store.session(id));
    if (!replay) continue;
    const { state } = replay;
    if (state.session.branch !== branch) return { kind: "none" };
    return isAllDone(state) ? { kind: "done", state } : { kind: "open" };
  }
  return { kind: "none" };
}

/** Works through the task list: starts a session, resumes an interrupted one, or returns the finished one. */
export async function workThrough(
  { store, runSession }: { store: SessionStore; runSession: RunSession },
  { run_id, branch, untrusted, task_path: taskPath, asked }: AutopilotRun,
): Promise<SessionState> {
  const latest = await latestSession(store, branch);
  if (latest.kind === "done") return latest.state;
  return runSession({
    act: latest.kind === "open" ? "resume" : "start",
    taskPath,
    untrusted,
    planning: asked.calls === 0 ? undefined : planningOf(run_id, asked),
  });
}

function planningOf(run_id: string, { calls, usage, by = "" }: AutopilotRun["asked"]): Planning {
  const [driver = "", ...model] = by.split(" ");
  return { run_id, driver, calls, usage, ...(model.length > 0 && { model: model.join(" ") }) };
}
