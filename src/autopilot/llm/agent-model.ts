import * as z from "zod";
import { type AgentDeps, type AgentRequest, runAgent } from "../../agents/call/run-agent.ts";
import { command } from "../../agents/drivers/command.ts";
import type { Driver } from "../../agents/drivers/driver.ts";
import type { AgentOutcome } from "../../core/state/roles.ts";
import type { Again, Model, Question, Reply } from "./model.ts";

/** A read-only call of an agent program in the work tree, without its prompt. */
export type AgentModelRequest = Omit<AgentRequest, "prompt" | "role" | "readOnly">;

/**
 * An agent program as a model: it may read the work tree but writes nothing, and its final message is the answer. The
 * claude driver is the provider `claude_cli`.
 */
export function createAgentModel(deps: AgentDeps, asker: AgentModelRequest): Model {
  const { driver, model } = asker;
  return {
    provider: driver.name === "claude" ? "claude_cli" : undefined,
    name: [driver.name, model].filter(Boolean).join(" "),
    model,
    reportedUsage: reportedUsageOf(driver),
    ask: (question) => ask(deps, asker, question),
  };
}

async function ask(deps: AgentDeps, asker: AgentModelRequest, question: Question): Promise<Reply> {
  const request: AgentRequest = {
    ...asker,
    role: "planning",
    readOnly: true,
    prompt: promptOf(question),
  };
  const result = await runAgent({ ...deps, signal: question.signal }, request);
  const { outcome, finalMessage, usage, output } = result;
  if (outcome.kind === "answered") return { kind: "answered", text: finalMessage, usage };
  const message = outcome.kind === "cancelled" ? "no answer arrived in time" : outcome.message;
  const remedy = "Run the agent program by hand, and fix what it reports.";
  return { kind: "failed", message, remedy, raw: output, again: againOf(outcome, deps), usage };
}

function reportedUsageOf(driver: Driver): Model["reportedUsage"] {
  if (driver.reportsCost) return "cost";
  return driver === command ? "nothing" : "tokens";
}

/** The prompt states the shape, because a program has no parameter for it. */
function promptOf({ instructions, prompt, shape }: Question): string {
  const schema = JSON.stringify(z.toJSONSchema(shape));
  return `${instructions}\n\n${prompt}\n\nYou may read files here; change none. Your last message must be nothing but one JSON object that fits this schema:\n${schema}`;
}

function againOf(outcome: AgentOutcome, { system }: AgentDeps): Again {
  if (outcome.kind === "limited") {
    const until = outcome.resets_at === undefined ? Number.NaN : Date.parse(outcome.resets_at);
    const afterMs = Number.isNaN(until) ? undefined : Math.max(0, until - system.clock.now());
    return { kind: "later", afterMs };
  }
  const isPassing = outcome.kind === "failed" && outcome.class === "infrastructure";
  return isPassing ? { kind: "later", afterMs: undefined } : { kind: "never" };
}
