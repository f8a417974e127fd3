import { phaseOf } from "../../core/state/phase.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import type { Phase } from "../../schema/base/phase.ts";
import { type AgentLife, agentLivesOf } from "./agent-states.ts";
import type { ClaudeRalphProgress } from "./schema/index.ts";

type Agent = ClaudeRalphProgress["agents"][number];

/** Figures of this part of the session and its workers: a resumption begins the file, and its agents, again. */
export function progressOf(
  state: SessionState,
  { plan, limits }: { plan: string; limits: { budget_usd: number | null; parallel: number } },
): ClaudeRalphProgress {
  const agents = agentLivesOf(state).map((life) => agentEntry(state, life));
  const count = (status: Agent["status"]) =>
    agents.filter((agent) => agent.status === status).length;
  return {
    plan_id: plan,
    phase: planPhaseOf(state),
    agents_total: Math.max(limits.parallel, agents.length),
    agents_completed: count("completed"),
    agents_failed: count("failed"),
    agents_active: count("active"),
    total_cost_usd: state.usage.cost_usd ?? 0,
    budget_limit_usd: state.steering.budgetUsd ?? limits.budget_usd,
    started_at: state.resumedAt ?? state.startedAt,
    updated_at: state.end?.at ?? state.ts,
    performance: performanceOf(state, agents),
    agents,
  };
}

const planPhases: Partial<Record<Phase, ClaudeRalphProgress["phase"]>> = {
  verifying: "review",
  complete: "review",
  fixing: "verify_fix",
};

/** The format has no final phase: a complete plan is in review, any other in the phase where it stopped. */
function planPhaseOf(state: SessionState): ClaudeRalphProgress["phase"] {
  const { end: _, ...before } = state;
  const phase = phaseOf(state);
  return planPhases[phase === "complete" ? phase : phaseOf(before)] ?? "implementation";
}

/** Averages of the completed agents, turns of all agents (compatibility 3). */
function performanceOf(state: SessionState, agents: readonly Agent[]) {
  const completed = agents.filter(({ status }) => status === "completed");
  const average = (figure: (agent: Agent) => number) => {
    const sum = completed.reduce((total, agent) => total + figure(agent), 0);
    return completed.length === 0 ? 0 : rounded(sum / completed.length);
  };
  return {
    avg_cost_per_agent: average(({ cost_usd }) => cost_usd),
    avg_turns_per_agent: average(({ num_turns }) => num_turns),
    avg_duration_seconds: average(({ duration_seconds }) => duration_seconds),
    total_turns: state.usage.turns ?? 0,
  };
}

const rounded = (figure: number) => Math.round(figure * 1e6) / 1e6;

/** An agent is active until this part of the session ends, so that no total ever falls. */
function agentEntry(
  state: SessionState,
  { id, tasks, status, startedAt, endedAt }: AgentLife,
): Agent {
  const until = state.end?.at ?? state.ts;
  const sum = (figure: (task: TaskState) => number) =>
    rounded(tasks.reduce((total, task) => total + figure(task), 0));
  return {
    id,
    status: status === "initializing" || status === "working" ? "active" : status,
    task_id: tasks.at(-1)?.task.id ?? null,
    cost_usd: sum(({ usage }) => usage.cost_usd ?? 0),
    num_turns: sum(({ usage }) => usage.turns ?? 0),
    duration_seconds: sum((task) => durationOf(task, until) / 1000),
    started_at: startedAt,
    completed_at: endedAt ?? null,
  };
}

const known = new WeakMap<TaskState, number>();

function durationOf(task: TaskState, until: string): number {
  const { startedAt = until, endedAt } = task;
  const ms = known.get(task) ?? Math.max(0, Date.parse(endedAt ?? until) - Date.parse(startedAt));
  if (endedAt !== undefined) known.set(task, ms);
  return ms;
}
