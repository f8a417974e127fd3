import { phaseOf } from "../../core/state/phase.ts";
import { queueStateOf } from "../../core/state/queue.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { workerOf } from "../session-facts.ts";
import type { ClaudeRalphAgent } from "./schema/index.ts";

/** The life of an agent: from its first task in this part of the session to the end of the part (specs 001, rule 4). */
export type AgentLife = ReturnType<typeof lifeOf>;

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

/** `tasks`: the running or newest one last. */
function lifeOf(state: SessionState, id: string, tasks: readonly TaskState[]) {
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

function statusOf(state: SessionState, tasks: readonly TaskState[]): ClaudeRalphAgent["status"] {
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

type Context = { plan: string; changedPaths: ReadonlyMap<string, readonly string[]> };

/** The states of all agents. An agent that completed its life has no state: nothing is left to recover (specs 001). */
export function agentFilesOf(
  state: SessionState,
  context: Context & { parallel: number },
): { agent: string; state: ClaudeRalphAgent | undefined }[] {
  const lives = new Map(agentLivesOf(state).map((life) => [life.id, life]));
  const names = Array.from({ length: context.parallel }, (_, index) => `agent-${index + 1}`);
  return [...new Set([...names, ...lives.keys()])].map((agent) => {
    const life = lives.get(agent);
    const hasNothing = life === undefined || life.status === "completed";
    return { agent, state: hasNothing ? undefined : stateOf(state, life, context) };
  });
}

function stateOf(state: SessionState, life: AgentLife, context: Context): ClaudeRalphAgent {
  const current = life.tasks.at(-1);
  return {
    agent_id: life.id,
    plan_id: context.plan,
    task_id: current?.task.id ?? null,
    // The word "budget" is one of the progress alone.
    status: life.status === "budget" ? "failed" : life.status,
    last_checkpoint: checkpointOf(state, life),
    context: {
      files_modified: modifiedBy(life, context),
      commits_made: life.tasks.flatMap(({ commit }) => commit ?? []),
      notes: notesOf(state, current),
    },
  };
}

/** Paths of the agent's passed tasks, and what its running task has changed so far. */
function modifiedBy({ tasks }: AgentLife, { changedPaths }: Context): string[] {
  const paths = tasks.flatMap(({ task, files }) => [
    ...files.map(({ path }) => path),
    ...(changedPaths.get(task.id) ?? []),
  ]);
  return [...new Set(paths)].toSorted();
}

function checkpointOf({ end }: SessionState, { tasks, startedAt }: AgentLife): string {
  const known = tasks.flatMap(({ doing, lastReview, failures, gateTally, endedAt }) => [
    ...[doing?.since, lastReview?.at, failures?.at(-1)?.at, gateTally?.at, endedAt],
  ]);
  const times = [startedAt, ...known].flatMap((time) => time ?? []);
  return end?.at ?? times.toSorted().at(-1) ?? startedAt;
}

const sessionPattern = /^session ([\w-]+): /;

/** The notes begin with the session, which identifies ralph's own files. */
function notesOf({ session, end }: SessionState, task: TaskState | undefined): string {
  const { call } = task?.doing ?? {};
  const where = call ? `iteration ${call.iteration}, ${call.role}` : `iteration ${task?.iteration}`;
  const what = task?.state === "running" ? where : (task?.state ?? "waiting");
  return `session ${session.session_id}: ${what}${end ? `, ${end.reason}` : ""}`;
}

/** The ralph session that an agent's state names. */
export const sessionIn = ({ context: { notes } }: ClaudeRalphAgent): string | undefined =>
  sessionPattern.exec(notes)?.[1];
