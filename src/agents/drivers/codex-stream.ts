import * as z from "zod";
import type { AnswerReader } from "./driver.ts";
import { createStreamReader } from "./stream-reader.ts";
import { type Complaint, complaintOfError, isOnlyLoginNotice, type Remedies } from "./trouble.ts";

const count = z.int().min(0).optional().catch(undefined);

/** What counts of the stream; every other event, and what is odd in these, is skipped. */
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
  failure?: Complaint;
  retry?: Complaint | undefined;
  /** Waits for the network since the last progress. */
  waits: number;
}

/** Without a connection it tries for ever, after 5, 10, 20 … seconds, whatever its options say. */
const isWait = (message: string) => /\bwaiting for network\b/.test(message);
/** So it is ended after some seventeen seconds; our own back-off is journaled and counts for the breaker. */
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
      struggle: () => seen.retry,
    },
    remedies,
  );
  return { ...reader, isHopeless: () => seen.waits >= maxWaits };
}

function takeEvent(seen: Seen, event: CodexEvent): void {
  switch (event.type) {
    case "thread.started":
      seen.thread = event.thread_id;
      return;
    case "item.completed":
      // Warnings come as items too, and are no progress.
      if (event.item.type === "error") return;
      seen.retry = undefined;
      seen.waits = 0;
      if (event.item.type === "agent_message") seen.message = event.item.text;
      return;
    case "turn.completed":
      seen.tokens = event.usage;
      return;
    case "turn.failed":
      seen.failure = complaintOfError(event.error.message);
      return;
    case "error":
      seen.retry = complaintOfError(event.message);
      seen.waits = isWait(event.message) ? seen.waits + 1 : 0;
  }
}

function resultOf({ thread, message, tokens, ...seen }: Seen) {
  const failure = seen.failure ?? (seen.waits >= maxWaits ? seen.retry : undefined);
  if (tokens === undefined && failure === undefined) return undefined;
  const { input_tokens, cached_input_tokens, output_tokens } = tokens ?? {};
  const notice: Complaint = { trouble: "login", said: message };
  return {
    finalMessage: message,
    usage: {
      ...(input_tokens !== undefined && { input_tokens }),
      ...(cached_input_tokens !== undefined && { cached_input_tokens }),
      ...(output_tokens !== undefined && { output_tokens }),
    },
    details: thread === undefined ? {} : { session_id: thread },
    complaint: failure ?? (isOnlyLoginNotice(message) ? notice : undefined),
  };
}
