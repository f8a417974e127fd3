import * as z from "zod";
import { type Dialect, tokensIn } from "./dialect.ts";

const Part = z.object({ text: z.string().default("") });
const Content = z.union([
  z.string(),
  z.array(Part).transform((parts) => parts.map(({ text }) => text).join("\n")),
]);

const Body = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z.array(z.object({ role: z.string(), content: Content })),
});

const codes: Record<number, string> = { 401: "invalid_api_key", 429: "rate_limit_exceeded" };

/** The Chat Completions API, as OpenRouter and the gateway offer it. Answers come in one piece. */
export const chat: Dialect = {
  path: /\/chat\/completions$/,
  read: (body) => {
    const { model, stream, messages } = Body.parse(body);
    const prompt = messages.map(({ content }) => content).join("\n");
    return { model, isStream: stream, prompt, tools: [], results: [] };
  },
  render: ({ id, ask, text, inputTokens }) => {
    const completion_tokens = tokensIn(text);
    const choice = {
      index: 0,
      message: { role: "assistant", content: text },
      finish_reason: "stop",
    };
    const usage = {
      prompt_tokens: inputTokens,
      completion_tokens,
      total_tokens: inputTokens + completion_tokens,
    };
    const head = { id: `chatcmpl_${id}`, object: "chat.completion", created: 1769351452 };
    const whole = { ...head, model: ask.model, choices: [choice], usage };
    return { opening: [{ type: "chunk", text }], closing: [], whole };
  },
  refusal: ({ status, type, message }) => ({
    error: { type: type ?? "error", code: type ?? codes[status] ?? null, message, param: null },
  }),
  others: {},
};
