import { selectedTasks } from "../../core/decide/task-order.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import type { SessionFile } from "../../schema/session-files/session.ts";
import { shortCommit } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { sessionStatusOf } from "../summary/outcome.ts";
import { passedTasks } from "../summary/passed-tasks.ts";
import { iterationsOf } from "../summary/totals.ts";
import type { RenderView, ViewInput } from "../view.ts";

/** `session.json` (specs 004 4.4, compatibility 1.2), the only file that shows the live token. */
export const sessionJson: RenderView = {
  kind: "render",
  name: "session",
  path: "session.json",
  render: (run, given) => `${JSON.stringify(sessionOf(run, given), null, 2)}\n`,
};

function sessionOf(run: SessionState, { token }: ViewInput): SessionFile {
  const { session, startedAt } = run;
  return {
    session_id: session.session_id,
    session_token: token,
    started_at: startedAt,
    ...(run.end && { ended_at: run.end.at }),
    task_source: session.source.path,
    task_source_type: session.source.type,
    config_path: session.config_path,
    git_branch: session.branch,
    git_commit: shortCommit(session.start.commit),
    status: sessionStatusOf(run),
    ...taskLists(run),
    ...(run.end && endOf(run, run.end)),
  };
}

/** The current task counts as pending too: it has not passed. */
function taskLists(run: SessionState): Partial<SessionFile> {
  const current = run.end ? undefined : run.tasks.find(({ state }) => state === "running");
  const completed = passedTasks(run).map(({ task }) => task.id);
  const pending = selectedTasks(run).flatMap(({ state, task }) =>
    state === "passed" ? [] : task.id,
  );
  return {
    ...(current && { current_task: current.task.id }),
    ...(completed.length > 0 && { completed_tasks: completed }),
    ...(pending.length > 0 && { pending_tasks: pending }),
  };
}

function endOf(
  run: SessionState,
  { message }: NonNullable<SessionState["end"]>,
): Partial<SessionFile> {
  const isCompleted = sessionStatusOf(run) === "completed";
  return {
    total_iterations: iterationsOf(run),
    ...(!isCompleted && { failure_reason: plainLine(message, 1000) }),
  };
}
