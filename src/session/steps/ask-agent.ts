import { type AgentRequest, type AgentResult, runAgent } from "../../agents/call/run-agent.ts";
import { renderPrompt } from "../../agents/prompts/prompt.ts";
import type { PromptRole } from "../../agents/prompts/prompt-context.ts";
import { splitDiff } from "../../agents/prompts/split-diff.ts";
import { readSignal } from "../../core/checks/signal.ts";
import type { TaskState } from "../../core/state/session-state.ts";
import { addUsage } from "../../core/state/usage.ts";
import { agentDeps } from "../loop/agent-deps.ts";
import { promptContextOf } from "../loop/prompt-of.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { newToken } from "../loop/session-id.ts";

/** A prompt, and the token that only its answer can know (T48, T49). */
export interface PromptWithToken {
  token: string;
  prompt: string;
}

/** The prompts of one call: several for a review whose diff is longer than one prompt shows. */
export async function questionsOf(
  session: SessionContext,
  { task, role }: { task: TaskState; role: PromptRole },
): Promise<[PromptWithToken, ...PromptWithToken[]]> {
  const token = () => newToken(session.journal.state.session.session_id, session.system);
  const first = token();
  const context = await promptContextOf(session, { task, role, token: first });
  const [diff = "", ...others] =
    role === "review" ? splitDiff(context.work.diff) : [context.work.diff];
  const count = others.length + 1;
  const question = (token: string, diff: string, index: number): PromptWithToken => {
    const boundary = session.system.randomHex(8);
    const work = {
      ...context.work,
      diff,
      ...(count > 1 && { part: { number: index + 1, count } }),
    };
    return { token, prompt: renderPrompt(role, { ...context, fence: { boundary, token }, work }) };
  };
  return [
    question(first, diff, 0),
    ...others.map((each, index) => question(token(), each, index + 1)),
  ];
}

/** Asks one question after the other until one is not approved. The answer is the last one, with cost, time and output of all. */
export async function askAgent(
  session: SessionContext,
  {
    call,
    questions,
  }: { call: Omit<AgentRequest, "prompt">; questions: [PromptWithToken, ...PromptWithToken[]] },
): Promise<{ answer: AgentResult; token: string }> {
  const [{ token, prompt }, ...others] = questions;
  const answer = await runAgent(agentDeps(session, token), { ...call, prompt });
  const [next, ...rest] = others;
  if (!next || !isApproved(answer, { role: call.role, token })) return { answer, token };
  const later = await askAgent(session, { call, questions: [next, ...rest] });
  return { ...later, answer: joined(answer, later.answer) };
}

const isApproved = (
  { outcome, finalMessage }: AgentResult,
  asked: { role: AgentRequest["role"]; token: string },
) => {
  const signal = readSignal(finalMessage, asked);
  return (
    outcome.kind === "answered" && signal.kind === "valid" && signal.name === "review-approved"
  );
};

const joined = (first: AgentResult, later: AgentResult): AgentResult => ({
  ...later,
  usage: addUsage(first.usage, later.usage),
  ms: first.ms + later.ms,
  output: `${first.output}\n--- next part ---\n${later.output}`,
  outputBytes: first.outputBytes + later.outputBytes,
  refused: [...new Set([...first.refused, ...later.refused])],
});
