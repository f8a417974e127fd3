import type { Planning } from "../../core/state/event.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { isAllDone } from "../../core/state/steer.ts";
import { replayJournal } from "../../journal/journal.ts";
import { type SessionStore, sessionIds } from "../../journal/session-store.ts";
import type { AutopilotRun } from "./autopilot-run.ts";
import type { RunSession } from "./run-request.ts";

/** How the newest session on a run's branch stands. */
export type SessionProgress =
  | { kind: "none" }
  | { kind: "open" }
  | { kind: "done"; state: SessionState };

/** Only the newest session can be gone on with; one that has ended well is not run again. */
export async function latestSession(
  store: SessionStore,
  branch: string | undefined,
): Promise<SessionProgress> {
  const ids = (await sessionIds(store)).toReversed();
  for (const id of ids) {
    const replay = await replayJournal(store.session(id));
    if (!replay) continue;
    const { state } = replay;
    if (state.session.branch !== branch) return { kind: "none" };
    return isAllDone(state) ? { kind: "done", state } : { kind: "open" };
  }
  return { kind: "none" };
}

/** The loop over the tasks: a new session, the one that was interrupted, or what the last one came to. */
export async function workThrough(
  { store, runSession }: { store: SessionStore; runSession: RunSession },
  { run_id, branch, untrusted, task_path: taskPath, asked }: AutopilotRun,
): Promise<SessionState> {
  const standing = await latestSession(store, branch);
  if (standing.kind === "done") return standing.state;
  return runSession({
    act: standing.kind === "open" ? "resume" : "start",
    taskPath,
    sandbox: untrusted ? "required" : undefined,
    planning: asked.calls === 0 ? undefined : planningOf(run_id, asked),
  });
}

function planningOf(run_id: string, { calls, usage, by = "" }: AutopilotRun["asked"]): Planning {
  const [driver = "", ...model] = by.split(" ");
  return { run_id, driver, calls, usage, ...(model.length > 0 && { model: model.join(" ") }) };
}
