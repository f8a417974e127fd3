import * as z from "zod";
import type { Usage } from "../../core/state/measurement.ts";
import type { AnswerReader, CallDetails } from "./driver.ts";
import { type Limit, limitOfEvent } from "./limit.ts";
import {
  type ErrorKind,
  errorKindOf,
  isOnlyLoginNotice,
  type Remedies,
  type ReportedError,
} from "./reported-error.ts";
import { createStreamReader } from "./stream-reader.ts";

const amount = z.number().min(0).optional().catch(undefined);
const count = z.int().min(0).optional().catch(undefined);
const word = z.string().optional().catch(undefined);

/** The last event of a call. Missing or malformed fields are ignored. */
const ResultEvent = z.object({
  type: z.literal("result"),
  is_error: z.boolean().default(false).catch(false),
  result: z.string().default("").catch(""),
  errors: z.array(z.string()).default([]).catch([]),
  api_error_status: count,
  terminal_reason: word,
  session_id: word,
  permission_denials: z
    .array(z.object({ tool_name: z.string() }))
    .default([])
    .catch([]),
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

/** The program retries a request; without a status the request never reached the provider. */
const RetryEvent = z.object({
  type: z.literal("system"),
  subtype: z.literal("api_retry"),
  error_status: z.number().nullish().catch(undefined),
  error: z.string().default("").catch(""),
});
/** The conversation continued; with `error` the message only says why it cannot. */
const ProgressEvent = z.object({ type: z.enum(["assistant", "user"]), error: word });

/** The program's names for failures, which are more stable than its messages. */
const kindOfError: ReadonlyMap<string, ErrorKind> = new Map([
  ["authentication_failed", "login"],
  ["oauth_org_not_allowed", "login"],
  ["billing_error", "billing"],
  ["model_not_found", "model"],
  ["rate_limit", "limit"],
  ["overloaded", "provider"],
  ["server_error", "provider"],
]);

type Seen = {
  result?: ResultEvent;
  limit?: Limit;
  retry?: ReportedError | undefined;
  error?: string | undefined;
};

/**
 * Reads what the claude program prints: its event stream, its single JSON result, or plain text (a stand-in
 * given by RALPH_CLAUDE_CMD). The result event decides, before exit code and subtype: `is_error` is a failure
 * even with exit 0, and a finished answer counts even if the process lingers and must be ended.
 */
export function createClaudeReader(remedies: Remedies = {}): AnswerReader {
  const seen: Seen = {};
  return createStreamReader(
    {
      take: (event) => takeEvent(seen, event),
      result: () => seen.result && readResult(seen.result, seen),
      lastError: () => limitOf(seen.limit, "") ?? seen.retry,
    },
    remedies,
  );
}

function takeEvent(seen: Seen, event: unknown): void {
  const result = ResultEvent.safeParse(event);
  if (result.success) seen.result = result.data;
  const limit = limitOfEvent(event);
  if (limit) seen.limit = limit;
  const progress = ProgressEvent.safeParse(event);
  if (progress.success) Object.assign(seen, { retry: undefined, error: progress.data.error });
  const retry = RetryEvent.safeParse(event);
  if (retry.success) seen.retry = errorOfRetry(retry.data);
}

function errorOfRetry({ error_status, error }: z.infer<typeof RetryEvent>): ReportedError {
  const said = `it kept trying again (${[error_status, error].filter(Boolean).join(" ")})`;
  return { kind: error_status == null ? "provider" : errorKindOf(error_status, error), said };
}

function readResult(event: ResultEvent, seen: Seen) {
  const finalMessage = event.result || event.errors.join("\n");
  return {
    finalMessage,
    usage: usageOf(event),
    details: detailsOf(event),
    error: errorOf(event, finalMessage, seen),
  };
}

function errorOf(
  { is_error, api_error_status, terminal_reason = "api_error" }: ResultEvent,
  said: string,
  { limit, error = "" }: Seen,
): ReportedError | undefined {
  if (!is_error) return isOnlyLoginNotice(said) ? { kind: "login", said } : undefined;
  // Turns, budget and prompt length are limits of this call, even after an earlier provider error.
  if (terminal_reason !== "api_error") return { kind: "agent", said };
  const kind = kindOfError.get(error) ?? errorKindOf(api_error_status, said);
  const isLimit = kind === "limit" || kind === "agent" || kind === "provider";
  return (isLimit ? limitOf(limit, said) : undefined) ?? { kind, said };
}

const limitOf = (limit: Limit | undefined, said: string): ReportedError | undefined =>
  limit && { kind: "limit", said, ...limit };

function detailsOf({ session_id, permission_denials }: ResultEvent): CallDetails {
  const denied = [...new Set(permission_denials.map(({ tool_name }) => tool_name))];
  return {
    ...(session_id !== undefined && { session_id }),
    ...(denied.length > 0 && { denied }),
  };
}

/** Input tokens include those read from and written to the cache. */
function usageOf({ total_cost_usd, num_turns, usage = {} }: ResultEvent): Usage {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage;
  const inputs = [input_tokens, cache_creation_input_tokens, cache_read_input_tokens];
  const known = inputs.filter((tokens) => tokens !== undefined);
  return {
    ...(total_cost_usd !== undefined && { cost_usd: total_cost_usd }),
    ...(num_turns !== undefined && { turns: num_turns }),
    ...(known.length > 0 && { input_tokens: known.reduce((sum, tokens) => sum + tokens, 0) }),
    ...(cache_read_input_tokens !== undefined && { cached_input_tokens: cache_read_input_tokens }),
    ...(usage.output_tokens !== undefined && { output_tokens: usage.output_tokens }),
  };
}
