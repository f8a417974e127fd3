import * as z from "zod";
import { type Answer, type Dialect, type Rendered, tokensIn } from "./dialect.ts";
import type { Deed } from "./script.ts";

const Part = z.object({
  text: z.string().default(""),
  functionResponse: z.object({ response: z.unknown() }).optional(),
});
const Content = z.object({ role: z.string().default("user"), parts: z.array(Part) });

const Body = z.object({
  contents: z.array(Content),
  systemInstruction: Content.optional(),
  tools: z
    .array(z.object({ functionDeclarations: z.array(z.object({ name: z.string() })).default([]) }))
    .default([]),
});

const statuses: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

/** The Gemini API, as the gemini program uses it. */
export const google: Dialect = {
  path: /\/models\/[^/:]+:(?:generate|streamGenerate)Content$/,
  read: (body, path) => {
    const { contents, systemInstruction, tools } = Body.parse(body);
    const parts = [systemInstruction, ...contents].flatMap((content) =>
      content && content.role !== "model" ? content.parts : [],
    );
    return {
      model: /models\/([^/:]+):/.exec(path)?.[1] ?? "",
      isStream: path.endsWith(":streamGenerateContent"),
      prompt: parts.map(({ text }) => text).join("\n"),
      tools: tools.flatMap(({ functionDeclarations }) =>
        functionDeclarations.map(({ name }) => name),
      ),
      results: parts.flatMap(({ functionResponse }) =>
        functionResponse ? [JSON.stringify(functionResponse.response)] : [],
      ),
    };
  },
  render: (answer) => renderContent(answer),
  refusal: ({ status, type, message }) => ({
    error: { code: status, message, status: type ?? statuses[status] ?? "INTERNAL" },
  }),
  others: { ":countTokens": { totalTokens: 1000 } },
  // The program asks a small model how hard the work is, and chooses the large one by that.
  aside: ({ prompt }) =>
    prompt.includes("Task Routing AI")
      ? JSON.stringify({ complexity_reasoning: "It is simple.", complexity_score: 10 })
      : undefined,
};

function renderContent({ id, ask, text, deeds, inputTokens }: Answer): Rendered {
  const calls = deeds.map((deed) => ({ functionCall: toolFor(deed) }));
  const parts = [...(text === "" ? [] : [{ text }]), ...calls];
  const candidatesTokenCount = tokensIn(parts);
  const usageMetadata = {
    promptTokenCount: inputTokens,
    candidatesTokenCount,
    totalTokenCount: inputTokens + candidatesTokenCount,
  };
  const head = { modelVersion: ask.model, responseId: `response-${id}` };
  const content = { role: "model", parts };
  const end = { finishReason: "STOP", content: { role: "model", parts: [{ text: "" }] } };
  return {
    opening: [{ ...head, candidates: [{ index: 0, content }] }],
    closing: [{ ...head, candidates: [{ index: 0, ...end }], usageMetadata }],
    whole: { ...head, candidates: [{ index: 0, ...end, content }], usageMetadata },
  };
}

function toolFor(deed: Deed) {
  if ("read" in deed) return { name: "read_file", args: { file_path: deed.read } };
  if ("run" in deed) {
    return { name: "run_shell_command", args: { command: deed.run, description: "Run it" } };
  }
  return { name: "write_file", args: { file_path: deed.write, content: deed.text } };
}
