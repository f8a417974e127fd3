import type { AgentDeps, AgentRequest } from "../../agents/call/run-agent.ts";
import { driverNamed } from "../../agents/drivers/drivers.ts";
import { programOf } from "../../agents/drivers/program.ts";
import type { Role } from "../../core/state/roles.ts";
import type { TaskState } from "../../core/state/session-state.ts";
import { settingsFor } from "../../schema/config/agents.ts";
import { callLimits } from "./gate-deps-at.ts";
import type { SessionContext } from "./session-context.ts";

/** The dependencies of an agent call of a session, with the token of this call. */
export function agentDeps(session: SessionContext, token: string): AgentDeps {
  const { system, repo, redact, cancel } = session;
  const { worktree } = repo;
  return {
    system,
    wrap: (command, call) => session.wrap(command, { worktree, ...call }),
    homes: session.homes,
    openNetwork: session.network.openCall,
    redact,
    token,
    signal: cancel,
  };
}

/** Silence longer than this counts as a hang; tools of agents finish sooner (F27). */
const maxIdleMs = 15 * 60_000;

/** One call as configured; its time limit never exceeds the session's deadline (design 4). */
export function agentRequestOf(
  session: SessionContext,
  { task, role }: { task: TaskState; role: Role },
): Omit<AgentRequest, "prompt"> {
  const attempt = (task.calls[role] ?? 0) + 1;
  return callOf(session, { role, taskId: task.task.id, attempt });
}

/** The same for a call that no task has asked for. */
export function callOf(
  session: SessionContext,
  { role, taskId, attempt }: { role: Role; taskId: string; attempt: number },
): Omit<AgentRequest, "prompt"> {
  const { config, system, repo, sessionDir, journal } = session;
  const settings = settingsFor(config.agents, role);
  const driver = driverNamed(settings.driver);
  const seconds = settings.timeout ?? config.limits.claude_timeout;
  const timeoutMs = Math.min(seconds * 1000, timeLeft(session));
  return {
    driver,
    role,
    program: programOf(driver, settings, system.env),
    model: settings.model,
    allowedTools: settings.allowed_tools,
    readOnly: role === "review" || role === "planning",
    isSandboxed: journal.state.session.sandbox === "bubblewrap",
    timeoutMs,
    limits: callLimits(config, repo.worktree),
    ...(driver.streams && { idleMs: maxIdleMs }),
    cwd: repo.root,
    identity: { taskId, attempt, sessionDir },
    envNames: [...config.agents.env, ...config.sandbox.env],
  };
}

function timeLeft({ policy, system }: SessionContext): number {
  const deadline = Math.min(...policy.deadlines.map(({ at }) => at), Number.POSITIVE_INFINITY);
  return Math.max(1000, deadline - system.clock.now());
}
