import { basename, dirname, join } from "node:path/posix";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { passedTasks } from "../../views/summary/totals.ts";
import type { SpliceView } from "../../views/view.ts";
import type { LiveStatus } from "../dialect.ts";
import { workerOf } from "../session-facts.ts";
import { checkTask, type TeamTaskStatus } from "./schema/task.ts";
import { type TaskUpdate, withStatus } from "./team-task-header.ts";
import { isTaskFile } from "./team-tasks.ts";

type Origin = SessionState["session"]["list_origin"];

/** The task files that a list was made from, by task id (specs 003). None leads out of the project or into other files. */
function taskFiles({ session: { list_origin: origin } }: Pick<SessionState, "session">) {
  const files = Object.entries(origin?.ids ?? {}).filter(
    ([, file]) => isTaskFile(file) && ![origin?.path ?? "", file].some(leadsOut),
  );
  return new Map(files.map(([id, file]) => [id, join(origin?.path ?? "", file)]));
}

const leadsOut = (path: string) => path.startsWith("/") || path.split("/").includes("..");

/** Paths of all task files of a session, in the order of its list. */
export const teamTaskPaths = (state: Pick<SessionState, "session">): string[] => [
  ...taskFiles(state).values(),
];

/** The files whose tasks have ended since the previous pass; their status is committed with the newest pass. */
export function teamTaskDocuments(state: Pick<SessionState, "session" | "tasks">): SpliceView[] {
  const files = taskFiles(state);
  if (files.size === 0) return [];
  const [newest, before] = passedTasks(state).toReversed();
  if (!newest) return [];
  const isNew = ({ endedAt = "" }: TaskState) =>
    endedAt <= newest.endedAt && endedAt > (before?.endedAt ?? "");
  return state.tasks.filter(isNew).flatMap((task) => {
    const path = files.get(task.task.id);
    return path === undefined ? [] : [documentOf(task, path, updateFor(task))];
  });
}

/** The files of running tasks, and of those that ended without a pass; they are committed with the next pass. */
export function liveTeamTasks(
  state: Pick<SessionState, "session" | "tasks" | "end">,
): SpliceView[] {
  const files = taskFiles(state);
  return state.tasks.flatMap((task) => {
    const path = files.get(task.task.id);
    const status = liveStatus[task.state];
    const isOver = task.state === "running" && state.end !== undefined;
    if (path === undefined || status === undefined || isOver) return [];
    return [documentOf(task, path, { status })];
  });
}

const liveStatus: Partial<Record<TaskState["state"], TeamTaskStatus>> = {
  running: "IN_PROGRESS",
  failed: "BLOCKED",
  blocked: "BLOCKED",
};

/** Whether a file is its committed text with the status of a task that runs, or that ended without a pass. */
export function liveTeamStatus(before: string, after: string): LiveStatus | undefined {
  const isNow = (status: TeamTaskStatus) => withStatus(before, { status }) === after;
  if (isNow("IN_PROGRESS")) return "running";
  return isNow("BLOCKED") ? "ended" : undefined;
}

function documentOf(task: TaskState, path: string, update: TaskUpdate): SpliceView {
  return {
    kind: "splice",
    name: `team-task ${task.task.id}`,
    path: () => path,
    splice: (text) => (text === undefined || isBroken(text) ? text : withStatus(text, update)),
  };
}

const isBroken = (text: string) => checkTask(text).some(({ severity }) => severity === "error");

function updateFor(task: TaskState): TaskUpdate {
  const { state, endedAt } = task;
  if (state !== "passed" || endedAt === undefined) return { status: "BLOCKED" };
  return { status: "COMPLETED", by: workerOf(task), at: endedAt };
}

/** The team's guide; for a list made from task files also the documents of the goal and the file of the task (specs 003). */
export function teamReferences(
  { session }: Pick<SessionState, "session">,
  { task }: Pick<TaskState, "task">,
): string[] {
  return [".ralph/agents.md", ...listReferences(session.list_origin, task.id)];
}

function listReferences(origin: Origin, task: string): string[] {
  const file = origin?.ids[task];
  if (!origin || !file || !isTaskFile(file)) return [];
  const goal = basename(origin.path) === "implementation" ? dirname(origin.path) : origin.path;
  return [
    join(goal, "discovery.md"),
    join(goal, "design/detailed-design.md"),
    join(origin.path, file),
  ].filter((path) => !path.startsWith("../") && !path.startsWith("/"));
}
