import * as z from "zod";
import { type Answer, type Dialect, quoted, type Rendered, tokensIn } from "./dialect.ts";
import type { Deed } from "./script.ts";

const Message = z.object({
  role: z.string(),
  content: z.array(z.object({ text: z.string().default("") })),
});
const Result = z.object({ type: z.string().endsWith("_call_output"), output: z.unknown() });
const Tool = z.object({ type: z.string(), name: z.string().optional() });
/** Newer models are given their tools in groups, as an item of the conversation. */
const Group = z.object({ name: z.string(), tools: z.array(Tool) });
const Tools = z.object({ type: z.literal("additional_tools"), tools: z.array(Group) });
const Item = z.union([Result, Tools, Message, z.unknown().transform(() => undefined)]);

const Body = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  instructions: z.string().default(""),
  tools: z.array(Tool).default([]),
  input: z.array(Item),
});

const nameOf = ({ name, type }: z.infer<typeof Tool>) => name ?? type;
const namesIn = ({ name, tools }: z.infer<typeof Group>) =>
  tools.map((tool) => `${name}.${nameOf(tool)}`);

/** Type and code by status. */
const errors: Record<number, [type: string, code: string]> = {
  400: ["invalid_request_error", "invalid_request"],
  401: ["invalid_request_error", "invalid_api_key"],
  404: ["invalid_request_error", "model_not_found"],
  429: ["requests", "rate_limit_exceeded"],
};

/** The Responses API, as the codex program uses it. */
export const openai: Dialect = {
  path: /\/responses$/,
  read: (body) => {
    const { model, stream, instructions, tools, input } = Body.parse(body);
    const said = input.flatMap((item) => (item && "role" in item ? [item] : []));
    const texts = said
      .filter(({ role }) => role !== "assistant")
      .flatMap(({ content }) => content.map(({ text }) => text));
    const groups = input.flatMap((item) => (item && "tools" in item ? item.tools : []));
    return {
      model,
      isStream: stream,
      prompt: [instructions, ...texts].join("\n"),
      tools: [...tools.map(nameOf), ...groups.flatMap(namesIn)],
      results: input.flatMap((item) =>
        item && "output" in item ? [JSON.stringify(item.output)] : [],
      ),
    };
  },
  render: (answer) => renderResponse(answer),
  refusal: ({ status, type, message }) => {
    const [usual = "server_error", code = null] = errors[status] ?? [];
    return { error: { type: type ?? usual, code: type ?? code, message, param: null } };
  },
  others: { "/models": { object: "list", data: [], models: [] } },
};

function renderResponse({ id, ask, text, deeds, inputTokens }: Answer): Rendered {
  const hasScripts = ask.tools.includes(scriptTool);
  const calls = deeds.map((deed, at) => ({
    id: `${hasScripts ? "ctc" : "fc"}_${id}_${at}`,
    status: "completed",
    call_id: `call_${id}_${at}`,
    ...(hasScripts ? scriptFor(deed) : toolFor(deed)),
  }));
  const message = {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text, annotations: [] }],
  };
  const output = [...(text === "" ? [] : [message]), ...calls];
  const head = { id: `resp_${id}`, object: "response", created_at: 1769351452, model: ask.model };
  const whole = { ...head, status: "completed", output, usage: usageOf(inputTokens, output) };
  const events = [
    { type: "response.created", response: { ...head, status: "in_progress", output: [] } },
    ...output.flatMap((item, output_index) => [
      {
        type: "response.output_item.added",
        output_index,
        item: { ...item, status: "in_progress" },
      },
      { type: "response.output_item.done", output_index, item },
    ]),
  ];
  return { opening: events, closing: [{ type: "response.completed", response: whole }], whole };
}

function usageOf(input_tokens: number, output: unknown) {
  const output_tokens = tokensIn(output);
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + output_tokens,
  };
}

/** Older models are given a tool that runs commands; newer ones one that runs scripts, which call the other. */
const scriptTool = "functions.exec";

function toolFor(deed: Deed) {
  const args = JSON.stringify({ cmd: commandFor(deed) });
  return { type: "function_call", name: "exec_command", arguments: args };
}

function scriptFor(deed: Deed) {
  const args = JSON.stringify({ cmd: commandFor(deed) });
  const input = `text(await tools.exec_command(${args}));`;
  return { type: "custom_tool_call", namespace: "functions", name: "exec", input };
}

/** Files are read and written by commands too. */
function commandFor(deed: Deed): string {
  if ("read" in deed) return `cat ${quoted(deed.read)}`;
  if ("run" in deed) return deed.run;
  const path = quoted(deed.write);
  return `mkdir -p "$(dirname ${path})" && printf %s ${quoted(deed.text)} >${path}`;
}
