import * as z from "zod";
import type { AnswerReader } from "./driver.ts";
import {
  isOnlyLoginNotice,
  parseError,
  type Remedies,
  type ReportedError,
} from "./reported-error.ts";
import { createStreamReader } from "./stream-reader.ts";

const count = z.int().min(0).optional().catch(undefined);

/** The events that count; others and malformed ones are skipped. */
const CodexEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("thread.started"), thread_id: z.string() }),
  z.object({
    type: z.literal("item.completed"),
    item: z.object({ type: z.string(), text: z.string().default("").catch("") }),
  }),
  z.object({
    type: z.literal("turn.completed"),
    usage: z
      .object({ input_tokens: count, cached_input_tokens: count, output_tokens: count })
      .default({})
      .catch({}),
  }),
  z.object({ type: z.literal("turn.failed"), error: z.object({ message: z.string() }) }),
  z.object({ type: z.literal("error"), message: z.string() }),
]);
type CodexEvent = z.infer<typeof CodexEvent>;
type Tokens = Extract<CodexEvent, { type: "turn.completed" }>["usage"];

interface Seen {
  thread?: string;
  message: string;
  tokens?: Tokens;
  failure?: ReportedError;
  retry?: ReportedError | undefined;
  /** Waits for the network since the last progress. */
  waits: number;
}

/** Without a connection codex retries forever, after 5, 10, 20 … seconds, regardless of its options. */
const isWait = (message: string) => /\bwaiting for network\b/.test(message);
/** It is ended after about seventeen seconds; ralph's own back-off is journaled and counts for the circuit breaker. */
const maxWaits = 3;

/** Reads `codex exec --json`: the last message of the agent is the answer; a failed turn is a failed call. */
export function createCodexReader(remedies: Remedies = {}): AnswerReader {
  const seen: Seen = { message: "", waits: 0 };
  const reader = createStreamReader(
    {
      take: (event) => {
        const known = CodexEvent.safeParse(event);
        if (known.success) takeEvent(seen, known.data);
      },
      result: () => resultOf(seen),
      lastError: () => seen.retry,
    },
    remedies,
  );
  return { ...reader, isStuck: () => seen.waits >= maxWaits };
}

function takeEvent(seen: Seen, event: CodexEvent): void {
  switch (event.type) {
    case "thread.started":
      seen.thread = event.thread_id;
      return;
    case "item.completed":
      // Warnings are items too, but not progress.
      if (event.item.type === "error") return;
      seen.retry = undefined;
      seen.waits = 0;
      if (event.item.type === "agent_message") seen.message = event.item.text;
      return;
    case "turn.completed":
      seen.tokens = event.usage;
      return;
    case "turn.failed":
      seen.failure = parseError(event.error.message);
      return;
    case "error":
      seen.retry = parseError(event.message);
      seen.waits = isWait(event.message) ? seen.waits + 1 : 0;
  }
}

function resultOf({ thread, message, tokens, ...seen }: Seen) {
  const failure = seen.failure ?? (seen.waits >= maxWaits ? seen.retry : undefined);
  if (tokens === undefined && failure === undefined) return undefined;
  const { input_tokens, cached_input_tokens, output_tokens } = tokens ?? {};
  const notice: ReportedError = { kind: "login", said: message };
  return {
    finalMessage: message,
    usage: {
      ...(input_tokens !== undefined && { input_tokens }),
      ...(cached_input_tokens !== undefined && { cached_input_tokens }),
      ...(output_tokens !== undefined && { output_tokens }),
    },
    details: thread === undefined ? {} : { session_id: thread },
    error: failure ?? (isOnlyLoginNotice(message) ? notice : undefined),
  };
}
