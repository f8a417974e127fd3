import {
  count,
  falling,
  figure,
  list,
  misshapen,
  object,
  objectsIn,
  oneOf,
  orNull,
  text,
  time,
  unless,
} from "./shapes.ts";
import type { Before, Json, Reader } from "./strict-reader.ts";

const agentId = (value: unknown) => /^agent-\d+$/.test(String(value));

const taskShape = {
  ...{ id: text, description: text, status: oneOf("pending", "claimed", "done", "failed") },
  ...{ claimed_by: orNull(agentId), retries: count, dependencies: list, created_at: time },
  ...{ claimed_at: orNull(time), completed_at: orNull(time) },
};

/** A claim is given back when its agent ends; a failed task returns through the retry queue. */
const moves = [
  "pending claimed",
  "claimed done",
  "claimed failed",
  "claimed pending",
  "failed pending",
];

export const readQueue: Reader = (now, before) => {
  const tasks = objectsIn(now.tasks);
  const ids = tasks.map(({ id }) => id);
  return [
    ...misshapen(now, { tasks: list, created_at: time, plan_id: text }),
    ...unless(new Set(ids).size === ids.length, "repeats an id"),
    ...tasks.flatMap((task) => readTask(task, { tasks, before })),
  ];
};

function readTask(
  task: Json,
  { tasks, before }: { tasks: readonly Json[]; before: Before },
): string[] {
  const { id, status } = task;
  const old = objectsIn(before.same?.tasks).find((each) => each.id === id);
  const move = `${old?.status ?? status} ${status}`;
  const isDone = (needed: unknown) => tasks.find((each) => each.id === needed)?.status === "done";
  const isOver = status === "done" || status === "failed";
  const isFree = task.claimed_by === null && task.claimed_at === null;
  return [
    ...misshapen(task, taskShape),
    ...unless(old?.status === undefined || old.status === status || moves.includes(move), move),
    ...unless(move !== "failed pending" || isQueued(id, before), `${id} returns without a retry`),
    ...unless(status !== "claimed" || !isFree, `${id} is claimed by no one`),
    ...unless(status !== "pending" || isFree, `${id} is pending and claimed`),
    ...unless(
      isOver === (task.completed_at !== null),
      `${id}: completed_at does not fit ${status}`,
    ),
    ...unless(
      status !== "claimed" || objectsIn(task.dependencies).every(isDone),
      `${id} is claimed before what it needs`,
    ),
    ...falling(task, old, ["retries"]),
  ];
}

const isQueued = (id: unknown, { newest, path }: Before) =>
  objectsIn(newest.get(path.replace("task-queue", "retry-queue"))?.retries).some(
    ({ task_id }) => task_id === id,
  );

export const readRetries: Reader = (now) => [
  ...misshapen(now, { retries: list, plan_id: text }),
  ...objectsIn(now.retries).flatMap((retry) =>
    misshapen(retry, {
      ...{ task_id: text, agent_id: agentId, attempt: count, error: text },
      ...{ queued_at: time, max_retries: count },
    }),
  ),
];

const totals = ["agents_completed", "agents_failed", "total_cost_usd"];

export const readProgress: Reader = (now, { same: before }) => {
  // A resumption begins the file again: the reader may have missed that it was gone.
  const isNext = before !== undefined && String(now.started_at) > String(before.updated_at);
  const same = isNext ? undefined : before;
  const agents = objectsIn(now.agents);
  const counted = (status: string) => agents.filter((agent) => agent.status === status).length;
  return [
    ...misshapen(now, {
      ...{ plan_id: text, phase: oneOf("implementation", "verify_fix", "review") },
      ...{ agents_total: count, agents_completed: count, agents_failed: count },
      ...{ agents_active: count, total_cost_usd: figure, budget_limit_usd: orNull(figure) },
      ...{ started_at: time, updated_at: time, performance: object, agents: list },
    }),
    ...unless(now.agents_active === counted("active"), "agents_active is not their number"),
    ...unless(
      now.agents_completed === counted("completed"),
      "agents_completed is not their number",
    ),
    ...unless(now.agents_failed === counted("failed"), "agents_failed is not their number"),
    ...falling(now, same, totals),
    ...agents.flatMap((agent) => readAgentEntry(agent, same)),
  ];
};

function readAgentEntry(agent: Json, same: Json | undefined): string[] {
  const old = objectsIn(same?.agents).find(({ id }) => id === agent.id);
  const isActive = agent.status === "active";
  return [
    ...misshapen(agent, {
      ...{ id: agentId, status: oneOf("active", "completed", "failed", "budget") },
      ...{ task_id: orNull(text), cost_usd: figure, num_turns: count, duration_seconds: figure },
      ...{ started_at: time, completed_at: orNull(time) },
    }),
    ...unless(isActive === (agent.completed_at === null), "completed_at does not fit the status"),
    ...unless(
      old === undefined || old.status === "active" || old.status === agent.status,
      `agent ${old?.status} ${agent.status}`,
    ),
  ];
}

const lives = [
  "initializing working",
  "working completed",
  "working failed",
  "initializing failed",
];

export const readAgent: Reader = (now, { same }) => {
  const move = `${same?.status} ${now.status}`;
  return [
    ...misshapen(now, {
      ...{ agent_id: agentId, plan_id: text, task_id: orNull(text) },
      ...{ status: oneOf("initializing", "working", "completed", "failed") },
      ...{ last_checkpoint: time, context: object },
    }),
    ...misshapen(now.context as Json, { files_modified: list, commits_made: list, notes: text }),
    ...unless(same !== undefined || now.status !== "completed", "is born completed"),
    ...unless(same === undefined || same.status === now.status || lives.includes(move), move),
    ...unless(
      same === undefined || String(now.last_checkpoint) >= String(same.last_checkpoint),
      "last_checkpoint goes back",
    ),
  ];
};
