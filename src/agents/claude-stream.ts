import * as z from "zod";
import type { AgentOutcome, Usage } from "../run/event.ts";
import type { SupervisedResult } from "../system/system.ts";
import type { Answer, AnswerReader } from "./driver.ts";
import { type Limit, limitOfEvent } from "./limit.ts";
import { createLineReader } from "./line-reader.ts";
import { failed, lastWords, outcomeOfEnd } from "./outcome.ts";

const amount = z.number().min(0).optional().catch(undefined);
const count = z.int().min(0).optional().catch(undefined);

/** The last event of a call. What is missing or odd in it is left out, never an error. */
const ResultEvent = z.object({
  type: z.literal("result"),
  is_error: z.boolean().default(false).catch(false),
  result: z.string().default("").catch(""),
  errors: z.array(z.string()).default([]).catch([]),
  total_cost_usd: amount,
  num_turns: count,
  usage: z
    .object({
      input_tokens: count,
      cache_creation_input_tokens: count,
      cache_read_input_tokens: count,
      output_tokens: count,
    })
    .optional()
    .catch(undefined),
});
type ResultEvent = z.infer<typeof ResultEvent>;

type Seen = { isStream: boolean; result?: ResultEvent; limit?: Limit };

/**
 * Reads what the claude program prints: its event stream, its single JSON result, or plain text (a stand-in
 * given by RALPH_CLAUDE_CMD). The result event decides, before exit code and subtype: `is_error` is a failure
 * even with exit 0, and a finished answer counts even if the process lingers and must be ended.
 */
export function createClaudeReader(): AnswerReader {
  const seen: Seen = { isStream: false };
  const lines = createLineReader((line) => takeLine(seen, line));
  return {
    push: lines.push,
    finish: (result) => {
      lines.finish();
      return seen.result ? answerOf(seen.result, seen.limit) : withoutResult(seen, result);
    },
  };
}

function takeLine(seen: Seen, line: string): void {
  const event = parseEvent(line);
  if (event === undefined) return;
  seen.isStream = true;
  const result = ResultEvent.safeParse(event);
  if (result.success) seen.result = result.data;
  const limit = limitOfEvent(event);
  if (limit) seen.limit = limit;
}

const AnyEvent = z.looseObject({ type: z.string() });

function parseEvent(line: string): unknown {
  // Refusing by look is a hundred times cheaper than by exception, which matters in a flood.
  if (!line.startsWith("{") || !line.trimEnd().endsWith("}")) return undefined;
  try {
    return AnyEvent.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function answerOf(event: ResultEvent, limit: Limit | undefined): Answer {
  const finalMessage = event.result || event.errors.join("\n");
  return {
    outcome: outcomeOf(event, { finalMessage, limit }),
    finalMessage,
    usage: usageOf(event),
  };
}

type Said = { finalMessage: string; limit: Limit | undefined };

function outcomeOf({ is_error }: ResultEvent, { finalMessage, limit }: Said): AgentOutcome {
  if (!is_error) return { kind: "answered" };
  const words = lastWords(finalMessage) || "it reported an error";
  return limit ? limited(limit, words) : failed("agent", words);
}

function withoutResult({ isStream, limit }: Seen, result: SupervisedResult): Answer {
  const outcome = outcomeOfEnd(result);
  if (!isStream) return { outcome, finalMessage: result.stdout, usage: {} };
  const unfinished = failed("agent", "its stream ended without a result");
  const judged = outcome.kind === "answered" ? unfinished : outcome;
  return {
    outcome: limit && judged.kind === "failed" ? limited(limit, judged.message) : judged,
    finalMessage: "",
    usage: {},
  };
}

const limited = ({ resetsAt }: Limit, message: string): AgentOutcome => ({
  kind: "limited",
  message,
  ...(resetsAt !== undefined && { resets_at: resetsAt }),
});

/** Input tokens count those read from and written to the cache too: all that the call made the model read. */
function usageOf({ total_cost_usd, num_turns, usage = {} }: ResultEvent): Usage {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage;
  const inputs = [input_tokens, cache_creation_input_tokens, cache_read_input_tokens];
  const known = inputs.filter((tokens) => tokens !== undefined);
  return {
    ...(total_cost_usd !== undefined && { cost_usd: total_cost_usd }),
    ...(num_turns !== undefined && { turns: num_turns }),
    ...(known.length > 0 && { input_tokens: known.reduce((sum, tokens) => sum + tokens, 0) }),
    ...(usage.output_tokens !== undefined && { output_tokens: usage.output_tokens }),
  };
}
