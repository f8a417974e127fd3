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
import { collectWork } from "../loop/guard-user-git.ts";
import { reportRefusals } from "../loop/report-refusals.ts";
import { record, type SessionContext, updateViews } from "../loop/session-context.ts";
import { askAgent, type PromptWithToken, questionsOf } from "./ask-agent.ts";

/** One agent call, from prompt to collected changes (design 4), with a token that is valid for this call alone (T48, T49). */
export async function callAgent(session: SessionContext, step: StepOf<"call-agent">) {
  const role = promptRole(step.role);
  const task = taskOf(session.journal.state, step.task);
  const about = { task: step.task, role, iteration: task.iteration, ...subtaskOf(task) };
  const questions = await questionsOf(session, { task, role });
  const call = agentRequestOf(session, { task, role });
  const start = { type: "agent_start", ...about } as const;
  await recordCall(session, start, { call, prompt: questions.map(withoutToken).join("\n") });
  const work = () => askAgent(session, { call, questions });
  const collected = await collectWork(session, { role, tree: task.tree }, work);
  const { answer, token } = collected.answer;
  const { ignored, ...settled } = collected.changes;
  const end: FactOf<"agent_end"> = {
    type: "agent_end",
    ...about,
    ...settled,
    outcome: answer.outcome,
    signal: readSignal(answer.finalMessage, { role, token }),
    subtasks_done: readSubtaskSignals(answer.finalMessage, token),
    // Ignored files can fake gates, so those that a call touched are reported (design 9.5).
    ignored: await ignoredChanged(session.repo, { ignored, sinceMs: collected.startedAt }),
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

type CallOf<Type extends "agent_start" | "fix_call_start"> = Omit<
  FactOf<Type>,
  "driver" | "model" | "prompt"
>;

/** Flushed before the program starts, so the call is known whatever happens to ralph (design 2). */
export async function recordCall(
  session: SessionContext,
  about: CallOf<"agent_start"> | CallOf<"fix_call_start">,
  { call, prompt }: { call: Pick<AgentRequest, "driver" | "model">; prompt: string },
): Promise<void> {
  const fact = {
    ...about,
    driver: call.driver.name,
    ...(call.model !== undefined && { model: call.model }),
    prompt: await session.evidence.put(session.redact(prompt)),
  };
  await record(session, fact, { durable: true });
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
