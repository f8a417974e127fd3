import { phaseOf } from "../../core/state/phase.ts";
import { queueStateOf } from "../../core/state/queue.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { workerOf } from "../session-facts.ts";

/**
 * The life of an agent in this part of a session: it begins with its first task and ends with the part, however many tasks
 * lie between (specs 001, rule 4). A resumed session starts new lives.
 */
export interface AgentLife {
  id: string;
  /** Its tasks, the running or newest one last. */
  tasks: readonly TaskState[];
  status: "initializing" | "working" | "completed" | "failed" | "budget";
  startedAt: string;
  endedAt: string | undefined;
}

export function agentLivesOf(state: SessionState): AgentLife[] {
  const tasks = state.tasks.filter((task) => isOfThisPart(state, task));
  return [...Map.groupBy(tasks, workerOf)]
    .toSorted(([a], [b]) => numberOf(a) - numberOf(b))
    .map(([id, own]) => lifeOf(state, id, own.toSorted(byTime)));
}

const partStart = ({ startedAt, resumedAt }: SessionState) => resumedAt ?? startedAt;

function isOfThisPart(state: SessionState, task: TaskState): boolean {
  if (task.passedBefore || queueStateOf(task) === "pending") return false;
  return task.endedAt === undefined || task.endedAt >= partStart(state);
}

const numberOf = (agent: string) => Number(agent.slice(agent.lastIndexOf("-") + 1));

/** Ended tasks by their end, then the running one. */
const byTime = (a: TaskState, b: TaskState) => ((a.endedAt ?? "~") < (b.endedAt ?? "~") ? -1 : 1);

function lifeOf(state: SessionState, id: string, tasks: readonly TaskState[]): AgentLife {
  const starts = tasks.flatMap(({ startedAt, claimed }) => claimed?.at ?? startedAt ?? []);
  const first = [...starts, state.ts].toSorted()[0] ?? state.ts;
  const since = partStart(state);
  return {
    id,
    tasks,
    status: statusOf(state, tasks),
    startedAt: first < since ? since : first,
    endedAt: state.end?.at,
  };
}

function statusOf(state: SessionState, tasks: readonly TaskState[]): AgentLife["status"] {
  if (!state.end) return tasks.some(hasBegun(state)) ? "working" : "initializing";
  if (phaseOf(state) === "complete") return "completed";
  if (state.end.reason === "budget") return "budget";
  const isOver = state.end.reason === "task_failed" || state.end.reason === "blocked";
  const hasFailed = tasks.some((task) => task.state !== "passed");
  return isOver && !hasFailed ? "completed" : "failed";
}

const hasBegun = (state: SessionState) => (task: TaskState) =>
  task.endedAt !== undefined ||
  task.doing?.call !== undefined ||
  task.lastCall !== undefined ||
  (task.failures?.at(-1)?.at ?? "") > partStart(state);
