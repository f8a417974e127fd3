import { selectedTasks } from "../../core/decide/task-order.ts";
import { queueStateOf } from "../../core/state/queue.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { plainLine } from "../../text/plain-text.ts";
import { workerOf } from "../session-facts.ts";
import type { ClaudeRalphRetries, ClaudeRalphTask } from "./schema/index.ts";
import { renderTaskText } from "./task-text.ts";

/**
 * The session's tasks as a queue, in the order of work; dependencies on tasks it does not work on are met. Put together
 * from the tasks' own texts, as `renderJson` would print it: only a task that changed is rendered again.
 */
export function renderQueue(state: SessionState, plan: string): string {
  const tasks = selectedTasks(state);
  const ids = new Set(tasks.map(({ task }) => task.id));
  const entries = tasks.map((task) => renderEntry(task, { ids, startedAt: state.startedAt }));
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

type Given = { ids: ReadonlySet<string>; startedAt: string };
const known = new WeakMap<TaskState, { needs: string; startedAt: string; text: string }>();

function renderEntry(task: TaskState, given: Given): string {
  const needs = needsOf(task, given).join(" ");
  const { startedAt } = given;
  const made = known.get(task);
  if (made?.needs === needs && made.startedAt === startedAt) return made.text;
  const lines = JSON.stringify(entryOf(task, given), null, 2).replaceAll("\n", "\n    ");
  const text = `    ${lines}`;
  known.set(task, { needs, startedAt, text });
  return text;
}

const needsOf = ({ task }: TaskState, { ids }: Given) =>
  (task.dependsOn ?? []).filter((id) => ids.has(id));

function entryOf(task: TaskState, given: Given): ClaudeRalphTask {
  const { startedAt } = given;
  const status = queueStateOf(task);
  const isOurs = status !== "pending" && !task.passedBefore;
  return {
    id: task.task.id,
    description: renderTaskText(task.task),
    status,
    claimed_by: isOurs ? workerOf(task) : null,
    retries: retriesOf(task),
    dependencies: needsOf(task, given),
    created_at: startedAt,
    claimed_at: isOurs ? (task.claimed?.at ?? task.startedAt ?? startedAt) : null,
    completed_at: status === "done" || status === "failed" ? (task.endedAt ?? startedAt) : null,
  };
}

const hasGivenUp = (task: TaskState) => queueStateOf(task) === "failed";

/** How often it has failed, as far as that is counted. */
const failuresOf = (task: TaskState) => task.attempts ?? (hasGivenUp(task) ? 1 : 0);

/** The last failure is no retry yet: it becomes one when the task goes back into the queue. */
const retriesOf = (task: TaskState) => failuresOf(task) - (hasGivenUp(task) ? 1 : 0);

/** What has failed and may be tried again; undefined while nothing has failed. */
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
