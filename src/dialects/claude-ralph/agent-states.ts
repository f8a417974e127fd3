import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { type AgentLife, agentLivesOf } from "./agent-lives.ts";
import type { ClaudeRalphAgent } from "./schema/index.ts";

/** No state: the agent has nothing to recover. */
export type AgentFile = { agent: string; state: ClaudeRalphAgent | undefined };

type Context = { plan: string; changedPaths: ReadonlyMap<string, readonly string[]> };

/** The files of all agents: they are kept after a failure or a kill, and removed after a completed life (specs 001). */
export function agentFilesOf(
  state: SessionState,
  context: Context & { parallel: number },
): AgentFile[] {
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
    doing?.since,
    lastReview?.at,
    failures?.at(-1)?.at,
    gateTally?.at,
    endedAt,
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
