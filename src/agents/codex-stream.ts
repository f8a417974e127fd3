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
}

/** Reads `codex exec --json`: the last message of the agent is the answer; a failed turn is a failed call. */
export function createCodexReader(remedies: Remedies = {}): AnswerReader {
  const seen: Seen = { message: "" };
  return createStreamReader(
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
}

function takeEvent(seen: Seen, event: CodexEvent): void {
  switch (event.type) {
    case "thread.started":
      seen.thread = event.thread_id;
      return;
    case "item.completed":
      // Warnings come as items too, and are no progress.
      if (event.item.type !== "error") seen.retry = undefined;
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
  }
}

function resultOf({ thread, message, tokens, failure }: Seen) {
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
