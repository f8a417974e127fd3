import type { JSONSchema7, LanguageModel } from "ai";
import * as z from "zod";
import type { Usage } from "../../core/state/measurement.ts";
import { failedReply } from "./call-failure.ts";
import type { ApiSettings } from "./choose-provider.ts";
import type { Model, Question, Reply } from "./model.ts";

/** A provider's API as a model. The provider's library is loaded with the first question. */
export function createApiModel(api: ApiSettings): Model {
  const { provider, model } = api;
  const name = `${provider} ${model}`;
  return { provider, name, model, reportedUsage: "tokens", ask: (question) => ask(api, question) };
}

async function ask(api: ApiSettings, question: Question): Promise<Reply> {
  const library = await import("./provider-library.ts");
  const { generateText, NoObjectGeneratedError } = library;
  // The library would log warnings to the terminal.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  try {
    const { text, usage, finishReason } = await generateText({
      model: languageModel(library, api),
      system: question.instructions,
      prompt: question.prompt,
      output: outputOf(library, question),
      maxOutputTokens: question.maxTokens,
      abortSignal: question.signal,
      // `askModel` repeats questions: it logs each try and obeys the clock of the system.
      maxRetries: 0,
    });
    return finishReason === "content-filter" ? refusal(text, usage) : answered(text, usage);
  } catch (error) {
    // The library could not parse the text, but `readAnswer` may.
    if (!NoObjectGeneratedError.isInstance(error)) return failedReply(error, api, question.signal);
    const { text = "", usage = {} } = error;
    return error.finishReason === "content-filter" ? refusal(text, usage) : answered(text, usage);
  }
}

type Tokens = {
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
  inputTokenDetails?: { cacheReadTokens?: number | undefined };
};

const answered = (text: string, tokens: Tokens): Reply => {
  return { kind: "answered", text, usage: usageOf(tokens) };
};

function usageOf({ inputTokens, outputTokens, inputTokenDetails }: Tokens): Usage {
  const cached = inputTokenDetails?.cacheReadTokens;
  return {
    ...(inputTokens !== undefined && { input_tokens: inputTokens }),
    ...(cached !== undefined && { cached_input_tokens: cached }),
    ...(outputTokens !== undefined && { output_tokens: outputTokens }),
  };
}

const refusal = (raw: string, tokens: Tokens): Reply => ({
  kind: "failed",
  message: "the model refused to answer",
  remedy: "Look for anything in the report the model may object to, or choose another model.",
  raw,
  againAfterMs: undefined,
  usage: usageOf(tokens),
});

type Library = typeof import("./provider-library.ts");

/** As JSON Schema, because the library has its own zod. */
function outputOf({ jsonSchema, Output }: Library, { shape, name }: Question) {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { target: "draft-7" });
  return Output.object({ schema: jsonSchema(schema as JSONSchema7), name });
}

/** OpenRouter and the gateway implement the older of OpenAI's two APIs. */
function languageModel(
  { createAnthropic, createOpenAI }: Library,
  { provider, baseUrl, key, model }: ApiSettings,
): LanguageModel {
  const settings = { baseURL: baseUrl, apiKey: key, fetch: withoutRedirects };
  if (provider === "anthropic") return createAnthropic(settings)(model);
  if (provider === "openai") return createOpenAI(settings).responses(model);
  return createOpenAI({ ...settings, name: provider }).chat(model);
}

/** A redirect would send the key to another host. */
const withoutRedirects: typeof fetch = (input, init) =>
  fetch(input, { ...init, redirect: "error" });
