import { selectedTasks } from "../../core/decide/task-order.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import type { SessionFile } from "../../schema/session-files/session.ts";
import { shortCommit } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { sessionStatusOf } from "../summary/outcome.ts";
import { iterationsOf, passedTasks } from "../summary/totals.ts";
import type { RenderView, ViewInput } from "../view.ts";

/** `session.json` (specs 004 4.4, compatibility 1.2), the only file with the live token. */
export const sessionJson: RenderView = {
  kind: "render",
  name: "session",
  path: "session.json",
  render: (state, given) => `${JSON.stringify(sessionOf(state, given), null, 2)}\n`,
};

function sessionOf(state: SessionState, { token }: ViewInput): SessionFile {
  const { session, startedAt } = state;
  return {
    session_id: session.session_id,
    session_token: token,
    started_at: startedAt,
    ...(state.end && { ended_at: state.end.at }),
    task_source: session.source.path,
    task_source_type: session.source.type,
    config_path: session.config_path,
    git_branch: session.branch,
    git_commit: shortCommit(session.start.commit),
    status: sessionStatusOf(state),
    ...taskLists(state),
    ...(state.end && endOf(state, state.end)),
  };
}

/** The current task is pending too: it has not passed. */
function taskLists(state: SessionState): Partial<SessionFile> {
  const current = state.end ? undefined : state.tasks.find(({ state }) => state === "running");
  const completed = passedTasks(state).map(({ task }) => task.id);
  const pending = selectedTasks(state).flatMap(({ state, task }) =>
    state === "passed" ? [] : task.id,
  );
  return {
    ...(current && { current_task: current.task.id }),
    ...(completed.length > 0 && { completed_tasks: completed }),
    ...(pending.length > 0 && { pending_tasks: pending }),
  };
}

function endOf(state: SessionState, { message }: NonNullable<SessionState["end"]>) {
  const isCompleted = sessionStatusOf(state) === "completed";
  return {
    total_iterations: iterationsOf(state),
    ...(!isCompleted && { failure_reason: plainLine(message, 1000) }),
  };
}
