import { expect, test } from "vitest";
import { chooseProvider } from "../../../src/autopilot/llm/choose-provider.ts";
import type { Provider } from "../../../src/schema/config/autopilot.ts";

const choose = (
  provider: Provider | undefined,
  { hasClaude = false, model, ...env }: Record<string, string | boolean | undefined>,
) => {
  const wanted = {
    recent_days: 7,
    ...(provider && { provider }),
    ...(model ? { model: `${model}` } : {}),
  };
  const given = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, `${value}`]));
  const choice = chooseProvider(wanted, { env: given, hasClaude: hasClaude === true });
  return choice.kind === "api" ? choice.api : choice;
};

const keys = {
  ANTHROPIC_API_KEY: "a",
  OPENAI_API_KEY: "o",
  OPENROUTER_API_KEY: "r",
  AI_GATEWAY_API_KEY: "g",
};

test.each<[string, Provider | undefined, Record<string, string | boolean>, object]>([
  ["the gateway comes first", undefined, keys, { provider: "gateway", key: "g" }],
  [
    "then anthropic",
    undefined,
    { ...keys, AI_GATEWAY_API_KEY: " " },
    {
      provider: "anthropic",
      key: "a",
      baseUrl: "https://api.anthropic.com/v1",
      model: "claude-opus-4-5-20251101",
    },
  ],
  [
    "then openai",
    undefined,
    { OPENROUTER_API_KEY: "r", OPENAI_API_KEY: "o" },
    { provider: "openai" },
  ],
  ["then openrouter", undefined, { OPENROUTER_API_KEY: "r" }, { provider: "openrouter" }],
  ["then the claude program", undefined, { hasClaude: true }, { kind: "claude_cli" }],
  [
    "a configured provider is chosen over other keys",
    "openai",
    keys,
    { provider: "openai", key: "o" },
  ],
  [
    "the claude program replaces anthropic without a key",
    "anthropic",
    { OPENAI_API_KEY: "o", hasClaude: true },
    { kind: "claude_cli" },
  ],
  [
    "a configured claude program is chosen over keys",
    "claude_cli",
    { ...keys, hasClaude: true, model: "opus" },
    { kind: "claude_cli", model: "opus" },
  ],
  [
    "an OIDC token selects the gateway",
    "gateway",
    { VERCEL_OIDC_TOKEN: "t" },
    { provider: "gateway", key: "t" },
  ],
  ["the model is the configured one", "openai", { ...keys, model: "m" }, { model: "m" }],
  [
    "addresses come from the environment, anthropic's with or without its version",
    "anthropic",
    { ...keys, ANTHROPIC_BASE_URL: "http://127.0.0.1:1/" },
    { baseUrl: "http://127.0.0.1:1/v1" },
  ],
])("%s", (_title, provider, env, expected) => {
  expect(choose(provider, env)).toMatchObject(expected);
});

test.each<[Provider | undefined, string]>([
  [
    undefined,
    "Set AI_GATEWAY_API_KEY or ANTHROPIC_API_KEY or OPENAI_API_KEY or OPENROUTER_API_KEY, or install Claude Code.",
  ],
  ["openai", "Set OPENAI_API_KEY."],
  ["anthropic", "Set ANTHROPIC_API_KEY, or install Claude Code."],
  [
    "claude_cli",
    "Install Claude Code (`npm install --global @anthropic-ai/claude-code`), or choose another provider.",
  ],
])("without a model (%s), exit 1 names the remedy", (provider, remedy) => {
  expect(() => choose(provider, {})).toThrow(expect.objectContaining({ reason: "config", remedy }));
});
