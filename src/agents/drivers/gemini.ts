import * as z from "zod";
import type { Environment } from "../../platform/system.ts";
import type { AgentCall, AnswerReader, Driver } from "./driver.ts";
import { remediesFor, startWith } from "./program.ts";
import { parseError } from "./reported-error.ts";
import { createStreamReader } from "./stream-reader.ts";

const remedies = remediesFor({
  login: "Set GEMINI_API_KEY to a valid key, or log in by starting `gemini` once.",
  newer: "Install a newer Gemini CLI (`npm install --global @google/gemini-cli@latest`)",
});

/** The gemini program without a terminal, its prompt on stdin, its events as JSON lines. */
export const gemini: Driver = {
  name: "gemini",
  program: "gemini",
  programVariable: "RALPH_GEMINI_CMD",
  version: ["--version"],
  home: ".gemini",
  projectFiles: ["GEMINI.md"],
  // Without its settings file, the variable selects the login.
  login: { file: "oauth_creds.json", env: { GOOGLE_GENAI_USE_GCA: "true" } },
  settings: { file: "settings.json", text: renderSettings },
  npm: { name: "@google/gemini-cli" },
  streams: true,
  remedy:
    "Install the Gemini CLI (`npm install --global @google/gemini-cli`), or name another program in `agents.<role>.command` of .ralph/ralph.yml.",
  credentials: [
    { names: ["GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_GENAI_USE_VERTEXAI"] },
    {
      when: "GOOGLE_GENAI_USE_VERTEXAI",
      names: [
        "GOOGLE_API_KEY",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "GOOGLE_CLOUD_PROJECT",
        "GOOGLE_CLOUD_LOCATION",
      ],
    },
  ],
  provider: {
    url: "https://generativelanguage.googleapis.com",
    addressVariable: "GOOGLE_GEMINI_BASE_URL",
    keys: ["GEMINI_API_KEY"],
    hosts: (env) =>
      env.GEMINI_API_KEY
        ? []
        : ["aiplatform", "cloudcode-pa", "oauth2", "sts"].map((name) => `${name}.googleapis.com`),
  },
  command: startWith(options),
  createReader: createGeminiReader,
};

/**
 * With another address than Google's, the program does not find the key by itself. A `.env` in the project, which any agent can
 * write, could lead it to another model. Its own back-off waits for minutes; ralph's is journaled and counts for the circuit breaker.
 */
function renderSettings({ GEMINI_API_KEY: key, GOOGLE_GENAI_USE_VERTEXAI: vertex }: Environment) {
  return JSON.stringify({
    ...(key && !vertex && { security: { auth: { selectedType: "gemini-api-key" } } }),
    advanced: { ignoreLocalEnv: true },
    general: {
      maxAttempts: 3,
      retryFetchErrors: false,
      enableAutoUpdate: false,
      enableAutoUpdateNotification: false,
    },
    privacy: { usageStatisticsEnabled: false },
  });
}

/** Plan mode offers no shell and writes only its own plans. */
function options({ model, readOnly }: AgentCall): string[] {
  return [
    ...["--output-format", "stream-json", "--skip-trust"],
    ...["--approval-mode", readOnly ? "plan" : "yolo"],
    ...(model === undefined ? [] : ["--model", model]),
  ];
}

const count = z.int().min(0).optional().catch(undefined);
const GeminiEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("init"), session_id: z.string() }),
  z.object({ type: z.literal("message"), role: z.string(), content: z.string() }),
  z.object({ type: z.literal("tool_use") }),
  z.object({
    type: z.literal("result"),
    status: z.string(),
    error: z.object({ message: z.string() }).optional().catch(undefined),
    stats: z
      .object({ total_tokens: count, input_tokens: count, cached: count })
      .default({})
      .catch({}),
  }),
]);
type GeminiEvent = z.infer<typeof GeminiEvent>;
type ResultEvent = Extract<GeminiEvent, { type: "result" }>;
type Seen = { session?: string; message: string; result?: ResultEvent };

/** Longer answers lose their beginning; signals are at the end (characters). */
const maxMessage = 1024 * 1024;

/** The answer comes in pieces: the text after the last tool call is the final message. */
function createGeminiReader(): AnswerReader {
  const seen: Seen = { message: "" };
  return createStreamReader(
    {
      take: (event) => {
        const known = GeminiEvent.safeParse(event);
        if (known.success) takeEvent(seen, known.data);
      },
      result: () => seen.result && resultOf(seen, seen.result),
      // It reports retries on stderr only.
      lastError: () => undefined,
    },
    remedies,
  );
}

function takeEvent(seen: Seen, event: GeminiEvent): void {
  if (event.type === "init") seen.session = event.session_id;
  if (event.type === "tool_use") seen.message = "";
  if (event.type === "result") seen.result = event;
  if (event.type !== "message" || event.role !== "assistant") return;
  seen.message = (seen.message + event.content).slice(-maxMessage);
}

function resultOf({ session, message }: Seen, { status, error, stats }: ResultEvent) {
  const { total_tokens, input_tokens, cached } = stats;
  // Its own `output_tokens` omits thinking tokens, which are billed as output.
  const output_tokens =
    total_tokens === undefined ? undefined : Math.max(0, total_tokens - (input_tokens ?? 0));
  return {
    finalMessage: message,
    usage: {
      ...(input_tokens !== undefined && { input_tokens }),
      ...(cached !== undefined && { cached_input_tokens: cached }),
      ...(output_tokens !== undefined && { output_tokens }),
    },
    details: session === undefined ? {} : { session_id: session },
    error: status === "success" ? undefined : parseError(error?.message ?? "it reported an error"),
  };
}
