import { selectedTasks } from "../../core/decide/task-order.ts";
import { queueStateOf } from "../../core/state/queue.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { plainLine } from "../../text/plain-text.ts";
import { workerOf } from "../session-facts.ts";
import type { ClaudeRalphRetries, ClaudeRalphTask } from "./schema/index.ts";
import { renderTaskText } from "./tasks.ts";

/**
 * The session's tasks as a queue, in the order of work; dependencies on other tasks are met. Joined from the cached texts of
 * the tasks, in the format of `renderJson`: only a changed task is rendered again.
 */
export function renderQueue(state: SessionState, plan: string): string {
  const tasks = selectedTasks(state);
  const ids = new Set(tasks.map(({ task }) => task.id));
  const { startedAt } = state;
  const isOver = state.end !== undefined;
  const entries = tasks.map((task) => renderEntry(task, { ids, startedAt, isOver }));
  return `{
  "tasks": ${joined(entries)},
  "created_at": ${JSON.stringify(state.startedAt)},
  "plan_id": ${JSON.stringify(plan)}
}
`;
}

let latest: { entries: readonly string[]; text: string } = { entries: [], text: "[]" };

/** Most updates change no task. */
function joined(entries: readonly string[]): string {
  const isSame =
    entries.length === latest.entries.length &&
    entries.every((entry, at) => entry === latest.entries[at]);
  if (!isSame) {
    const text = entries.length === 0 ? "[]" : `[\n${entries.join(",\n")}\n  ]`;
    latest = { entries, text };
  }
  return latest.text;
}

type QueueContext = { ids: ReadonlySet<string>; startedAt: string; isOver: boolean };
const known = new WeakMap<TaskState, { key: string; text: string }>();

function renderEntry(task: TaskState, context: QueueContext): string {
  const { startedAt, isOver } = context;
  const key = [...needsOf(task, context), startedAt, isOver].join(" ");
  const made = known.get(task);
  if (made?.key === key) return made.text;
  const lines = JSON.stringify(entryOf(task, context), null, 2).replaceAll("\n", "\n    ");
  const text = `    ${lines}`;
  known.set(task, { key, text });
  return text;
}

const needsOf = ({ task }: TaskState, { ids }: QueueContext) =>
  (task.dependsOn ?? []).filter((id) => ids.has(id));

function entryOf(task: TaskState, context: QueueContext): ClaudeRalphTask {
  const { startedAt } = context;
  const status = statusOf(task, context);
  const isOurs = status !== "pending" && !task.passedBefore;
  return {
    id: task.task.id,
    description: renderTaskText(task.task),
    status,
    claimed_by: isOurs ? workerOf(task) : null,
    retries: retriesOf(task),
    dependencies: needsOf(task, context),
    created_at: startedAt,
    claimed_at: isOurs ? (task.claimed?.at ?? task.startedAt ?? startedAt) : null,
    completed_at: status === "done" || status === "failed" ? (task.endedAt ?? startedAt) : null,
  };
}

/** An ended session gives its claims back. */
function statusOf(task: TaskState, { isOver }: QueueContext): ClaudeRalphTask["status"] {
  const status = queueStateOf(task);
  return status === "claimed" && isOver ? "pending" : status;
}

const hasGivenUp = (task: TaskState) => queueStateOf(task) === "failed";

const failuresOf = (task: TaskState) => task.attempts ?? (hasGivenUp(task) ? 1 : 0);

/** The last failure becomes a retry when the task returns to the queue. */
const retriesOf = (task: TaskState) => failuresOf(task) - (hasGivenUp(task) ? 1 : 0);

/** The failed tasks that may be retried; undefined while no task has failed. */
export function retryQueueOf(
  state: SessionState,
  { plan, attempts }: { plan: string; attempts: number },
): ClaudeRalphRetries | undefined {
  const failed = selectedTasks(state).filter((task) => failuresOf(task) > 0);
  if (failed.length === 0) return undefined;
  const open = failed.filter((task) => task.state !== "passed" && failuresOf(task) < attempts);
  return {
    retries: open.map((task) => ({
      task_id: task.task.id,
      agent_id: workerOf(task),
      attempt: failuresOf(task),
      error: plainLine(task.message ?? task.lastFailure?.feedback ?? "It failed.", 500),
      queued_at: task.endedAt ?? task.failures?.at(-1)?.at ?? task.startedAt ?? state.startedAt,
      max_retries: attempts,
    })),
    plan_id: plan,
  };
}
