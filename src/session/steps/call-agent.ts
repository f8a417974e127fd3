import type { AgentRequest } from "../../agents/call/run-agent.ts";
import { lastTextLine } from "../../agents/drivers/outcome.ts";
import type { PromptRole } from "../../agents/prompts/prompt-context.ts";
import { readSignal, readSubtaskSignals } from "../../core/checks/signal.ts";
import { priced, priceOf } from "../../core/decide/price.ts";
import type { StepOf } from "../../core/decide/step.ts";
import type { FactOf } from "../../core/state/event.ts";
import type { Role } from "../../core/state/roles.ts";
import { currentUnit, type TaskState, taskOf } from "../../core/state/session-state.ts";
import { ignoredChanged } from "../../git/worktree/ignored-changed.ts";
import { agentRequestOf } from "../loop/agent-deps.ts";
import { collectChanges } from "../loop/collect-changes.ts";
import { guardUserGit } from "../loop/guard-user-git.ts";
import { reportRefusals } from "../loop/report-refusals.ts";
import {
  record,
  reportTampering,
  type SessionContext,
  updateViews,
} from "../loop/session-context.ts";
import { askAgent, type PromptWithToken, questionsOf } from "./ask-agent.ts";

/**
 * One agent call, from its prompt to its collected changes (design 4). The agent decides nothing. Its token is made for
 * this call alone: what another role, task or attempt was given completes nothing here (T48, T49).
 */
export async function callAgent(
  session: SessionContext,
  step: StepOf<"call-agent">,
): Promise<void> {
  const role = promptRole(step.role);
  const task = taskOf(session.journal.state, step.task);
  const about = { task: step.task, role, iteration: task.iteration, ...subtaskOf(task) };
  const questions = await questionsOf(session, { task, role });
  const call = agentRequestOf(session, { task, role });
  await recordStart(session, { about, call, prompt: questions.map(withoutToken).join("\n") });
  await updateViews(session);
  const startedAt = session.system.clock.now();
  const putBackGit = await guardUserGit(session);
  const { answer, token } = await askAgent(session, { call, questions });
  await putBackGit();
  await reportTampering(session);
  const { ignored, ...settled } = await collectChanges(session, { role, tree: task.tree });
  const end: FactOf<"agent_end"> = {
    type: "agent_end",
    ...about,
    ...settled,
    outcome: answer.outcome,
    signal: readSignal(answer.finalMessage, { role, token }),
    subtasks_done: readSubtaskSignals(answer.finalMessage, token),
    // Ignored files can fake gates, so those that a call touched are reported (design 9.5).
    ignored: await ignoredChanged(session.repo, { ignored, sinceMs: startedAt }),
    ...answer.details,
    usage: priced(answer.usage, priceOf(session.config.pricing, call.model)),
    ms: answer.ms,
    output: await session.evidence.put(answer.output, answer.outputBytes),
  };
  await record(session, end, { durable: true });
  await reportRefusals(session, { who: `${step.task} ${role}`, refused: answer.refused });
  await remark(
    session,
    remarksOn(end, {
      request: call,
      message: session.redact(answer.finalMessage.replaceAll(token, "***")),
    }),
  );
  await updateViews(session);
}

const withoutToken = ({ prompt, token }: PromptWithToken) => prompt.replaceAll(token, "***");

type Start = {
  about: Pick<FactOf<"agent_start">, "task" | "role" | "iteration" | "subtask">;
  call: Pick<AgentRequest, "driver" | "model">;
  prompt: string;
};

/** Flushed before the program starts, so the call is known whatever happens to ralph (design 2). */
async function recordStart(session: SessionContext, { about, call, prompt }: Start): Promise<void> {
  await record(
    session,
    {
      type: "agent_start",
      ...about,
      driver: call.driver.name,
      ...(call.model !== undefined && { model: call.model }),
      prompt: await session.evidence.put(session.redact(prompt)),
    },
    { durable: true },
  );
}

const subtaskOf = (task: TaskState) => {
  const unit = currentUnit(task);
  return unit ? { subtask: unit.id } : {};
};

function promptRole(role: Role): PromptRole {
  if (role === "fix" || role === "planning") throw new Error(`The loop never calls ${role}.`);
  return role;
}

/** Records each remark once in a session. */
async function remark(session: SessionContext, messages: readonly string[]): Promise<void> {
  const news = messages.filter((message) => !session.journal.state.warnings.includes(message));
  for (const message of news) await record(session, { type: "warning", message });
}

type Call = FactOf<"agent_end">;
type Called = {
  request: Pick<AgentRequest, "program" | "allowedTools" | "readOnly">;
  /** The final message, redacted. */
  message: string;
};

/** Warnings that a call's outcome does not show: denied tools, and a final message without a claim. */
export function remarksOn(call: Call, called: Called): string[] {
  const who = `${call.task} ${call.role}: \`${called.request.program[0]}\``;
  const remarks = [denial(call, called), messageWithoutClaim(call, called)];
  return remarks.filter((remark) => remark !== undefined).map((remark) => `${who} ${remark}`);
}

/** A read-only role is always denied tools that write. */
function denial({ role, denied = [] }: Call, { request }: Called): string | undefined {
  if (denied.length === 0 || request.readOnly) return undefined;
  const tools = denied.join(", ");
  return request.allowedTools.length > 0
    ? `was denied ${tools}; add what it needs to \`agents.${role}.allowed_tools\`.`
    : `was denied ${tools} by its own settings or hooks.`;
}

/** The message may be a question, which no one answers. */
function messageWithoutClaim({ outcome, signal }: Call, { message }: Called): string | undefined {
  const words = lastTextLine(message);
  const isClaim = outcome.kind !== "answered" || signal.kind !== "missing";
  return isClaim || words === "" ? undefined : `claimed nothing; its last words: ${words}`;
}
