import * as z from "zod";
import { type Answer, type Dialect, type Rendered, tokensIn } from "./dialect.ts";
import type { Deed } from "./script.ts";

const Text = z.object({ type: z.literal("text"), text: z.string() }).transform(({ text }) => text);
const Result = z
  .object({ type: z.literal("tool_result"), content: z.unknown() })
  .transform(({ content }) => ({ result: JSON.stringify(content) }));
const Block = z.union([Text, Result, z.unknown().transform(() => undefined)]);
const Content = z.union([z.string().transform((text) => [text]), z.array(Block)]);

const Body = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  system: Content.default([]),
  tools: z.array(z.object({ name: z.string() })).default([]),
  messages: z.array(z.object({ role: z.string(), content: Content })),
});

const errorTypes: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  404: "not_found_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

/** The Messages API, as the claude program uses it. */
export const anthropic: Dialect = {
  path: /\/v1\/messages$/,
  read: (body) => {
    const { model, stream, system, tools, messages } = Body.parse(body);
    const blocks = messages.filter(({ role }) => role === "user").flatMap(({ content }) => content);
    return {
      model,
      isStream: stream,
      prompt: [...system, ...blocks].filter((block) => typeof block === "string").join("\n"),
      tools: tools.map(({ name }) => name),
      results: blocks.flatMap((block) => (typeof block === "object" ? [block.result] : [])),
    };
  },
  render: (answer) => renderMessage(answer),
  refusal: ({ status, type, message }, id) => ({
    type: "error",
    error: { type: type ?? errorTypes[status] ?? "api_error", message },
    request_id: `req_${id}`,
  }),
  others: { "/v1/messages/count_tokens": { input_tokens: 1000 } },
};

function renderMessage({ id, ask, text, deeds, inputTokens }: Answer): Rendered {
  const calls = deeds.map((deed, at) => ({
    type: "tool_use",
    id: `toolu_${id}_${at}`,
    ...toolFor(deed),
  }));
  const content = [...(text === "" ? [] : [{ type: "text", text }]), ...calls];
  const output_tokens = tokensIn(content);
  const usage = {
    input_tokens: inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const head = { id: `msg_${id}`, type: "message", role: "assistant", model: ask.model };
  const ends = { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null };
  const begun = { stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } };
  return {
    opening: [
      { type: "message_start", message: { ...head, content: [], ...begun } },
      ...content.flatMap(blockEvents),
    ],
    closing: [
      { type: "message_delta", delta: ends, usage: { output_tokens } },
      { type: "message_stop" },
    ],
    whole: { ...head, content, ...ends, usage: { ...usage, output_tokens } },
  };
}

type Block = { type: string; text?: string; input?: unknown };

function blockEvents(block: Block, index: number) {
  const isText = block.text !== undefined;
  const delta = isText
    ? { type: "text_delta", text: block.text }
    : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
  const content_block = { ...block, ...(isText ? { text: "" } : { input: {} }) };
  return [
    { type: "content_block_start", index, content_block },
    { type: "content_block_delta", index, delta },
    { type: "content_block_stop", index },
  ];
}

function toolFor(deed: Deed) {
  if ("read" in deed) return { name: "Read", input: { file_path: deed.read } };
  if ("run" in deed) return { name: "Bash", input: { command: deed.run, description: "Run it" } };
  return { name: "Write", input: { file_path: deed.write, content: deed.text } };
}
