import * as z from "zod";
import { type AgentDeps, type AgentRequest, runAgent } from "../../agents/call/run-agent.ts";
import { command } from "../../agents/drivers/command.ts";
import type { AgentOutcome } from "../../core/state/roles.ts";
import type { Model, Question, Reply } from "./model.ts";

/** A read-only call of an agent program in the work tree, without its prompt. */
export type AgentModelRequest = Omit<AgentRequest, "prompt" | "role" | "readOnly">;

/**
 * An agent program as a model: it may read the work tree but writes nothing, and its final message is the answer. The
 * claude driver is the provider `claude_cli`.
 */
export function createAgentModel(deps: AgentDeps, asker: AgentModelRequest): Model {
  const { driver, model } = asker;
  const unpriced = driver === command ? "nothing" : "tokens";
  return {
    provider: driver.name === "claude" ? "claude_cli" : undefined,
    name: [driver.name, model].filter(Boolean).join(" "),
    model,
    reportedUsage: driver.reportsCost ? "cost" : unpriced,
    ask: (question) => ask(deps, asker, question),
  };
}

async function ask(deps: AgentDeps, asker: AgentModelRequest, question: Question): Promise<Reply> {
  const result = await runAgent(
    { ...deps, signal: question.signal },
    { ...asker, role: "planning", readOnly: true, prompt: promptOf(question) },
  );
  const { outcome, finalMessage, usage, output: raw } = result;
  if (outcome.kind === "answered") return { kind: "answered", text: finalMessage, usage };
  const message = outcome.kind === "cancelled" ? "no answer arrived in time" : outcome.message;
  const remedy = "Run the agent program by hand, and fix what it reports.";
  const againAfterMs = waitAfter(outcome, deps);
  return { kind: "failed", message, remedy, raw, againAfterMs, usage };
}

/** The prompt states the shape, because a program has no parameter for it. */
function promptOf({ instructions, prompt, shape }: Question): string {
  const schema = JSON.stringify(z.toJSONSchema(shape));
  return `${instructions}\n\n${prompt}\n\nYou may read files here; change none. Your last message must be nothing but one JSON object that fits this schema:\n${schema}`;
}

function waitAfter(outcome: AgentOutcome, { system }: AgentDeps): number | undefined {
  if (outcome.kind === "limited") {
    const until = Date.parse(outcome.resets_at ?? "");
    return Number.isNaN(until) ? 0 : Math.max(0, until - system.clock.now());
  }
  return outcome.kind === "failed" && outcome.class === "infrastructure" ? 0 : undefined;
}
