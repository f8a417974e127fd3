import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { workerOf } from "../session-facts.ts";
import { lastOf } from "./progress-of.ts";
import type { ClaudeRalphAgent } from "./schema/index.ts";

/** No state: the agent has nothing to recover. */
export type AgentFile = { agent: string; state: ClaudeRalphAgent | undefined };

/**
 * The files of all agents: written at the start of a task and of each call, kept after a failure or a kill, removed when
 * the task has passed or is back in the queue (specs 001).
 */
export function agentFilesOf(state: SessionState, plan: string, parallel: number): AgentFile[] {
  const started = state.tasks.filter(({ startedAt, state }) => startedAt && state !== "pending");
  const tasksOf = Map.groupBy(started, workerOf);
  const names = Array.from({ length: parallel }, (_, index) => `agent-${index + 1}`);
  return [...new Set([...names, ...tasksOf.keys()])].map((agent) => {
    const task = lastOf(tasksOf.get(agent) ?? []);
    const hasNothing = task === undefined || task.state === "passed";
    return { agent, state: hasNothing ? undefined : stateOf(state, { agent, plan, task }) };
  });
}

type Parts = { agent: string; plan: string; task: TaskState };

function stateOf(state: SessionState, { agent, plan, task }: Parts): ClaudeRalphAgent {
  return {
    agent_id: agent,
    plan_id: plan,
    task_id: task.task.id,
    status: statusOf(state, task),
    last_checkpoint: checkpointOf(state, task),
    context: { files_modified: [], commits_made: [], notes: notesOf(state, task) },
  };
}

function statusOf({ end }: SessionState, task: TaskState): ClaudeRalphAgent["status"] {
  if (end || task.state !== "running") return "failed";
  return task.doing?.call || hasBegun(task) ? "working" : "initializing";
}

function hasBegun({ lastCall, tree, base, failures, claimed, startedAt = "" }: TaskState): boolean {
  const failedAt = failures?.at(-1)?.at ?? "";
  return lastCall !== undefined || tree !== base || failedAt > (claimed?.at ?? startedAt);
}

function checkpointOf({ end, startedAt: begun }: SessionState, task: TaskState): string {
  const { endedAt, startedAt, doing, lastReview, failures, gateTally } = task;
  const known = [
    begun,
    startedAt,
    doing?.since,
    lastReview?.at,
    failures?.at(-1)?.at,
    gateTally?.at,
  ];
  const last =
    known
      .flatMap((time) => time ?? [])
      .toSorted()
      .at(-1) ?? begun;
  return endedAt ?? end?.at ?? last;
}

const sessionPattern = /^session ([\w-]+): /;

/** The notes begin with the session, which identifies ralph's own files. */
function notesOf({ session, end }: SessionState, { doing, iteration, state }: TaskState): string {
  const { call } = doing ?? {};
  const where = call ? `iteration ${call.iteration}, ${call.role}` : `iteration ${iteration}`;
  const how = end ? `, ${end.reason}` : "";
  return `session ${session.session_id}: ${state === "running" ? where : state}${how}`;
}

/** The ralph session that an agent's state names. */
export const sessionIn = ({ context: { notes } }: ClaudeRalphAgent): string | undefined =>
  sessionPattern.exec(notes)?.[1];
