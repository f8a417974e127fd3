import { RalphError } from "../../error.ts";
import type { Environment } from "../../platform/system.ts";
import type { Autopilot, Provider } from "../../schema/config/autopilot.ts";

/** How to reach a provider. Its address comes from the environment, so that a proxy or a test can replace it. */
export type ApiSettings = {
  provider: ApiProvider;
  baseUrl: string;
  key: string;
  keyName: string;
  model: string;
};
export type ApiProvider = Exclude<Provider, "claude_cli">;
export type ProviderChoice =
  | { kind: "api"; api: ApiSettings }
  | { kind: "claude_cli"; model: string | undefined };

type ApiDefaults = {
  keys: readonly string[];
  urlVariable: string;
  defaultUrl: string;
  model: string;
};

/** In the order in which keys are looked for (compatibility 1.21). */
const apiDefaults: Readonly<Record<ApiProvider, ApiDefaults>> = {
  gateway: {
    keys: ["AI_GATEWAY_API_KEY", "VERCEL_OIDC_TOKEN"],
    urlVariable: "AI_GATEWAY_URL",
    defaultUrl: "https://ai-gateway.vercel.sh/v1",
    model: "anthropic/claude-opus-4.5",
  },
  anthropic: {
    keys: ["ANTHROPIC_API_KEY"],
    urlVariable: "ANTHROPIC_BASE_URL",
    defaultUrl: "https://api.anthropic.com/v1",
    model: "claude-opus-4-5-20251101",
  },
  openai: {
    keys: ["OPENAI_API_KEY"],
    urlVariable: "OPENAI_BASE_URL",
    defaultUrl: "https://api.openai.com/v1",
    model: "gpt-5.5",
  },
  openrouter: {
    keys: ["OPENROUTER_API_KEY"],
    urlVariable: "OPENROUTER_BASE_URL",
    defaultUrl: "https://openrouter.ai/api/v1",
    model: "anthropic/claude-opus-4.5",
  },
};
const order = Object.keys(apiDefaults) as ApiProvider[];

/**
 * Chooses the configured provider, else the first with a key, else the claude program. A configured provider without its
 * key is exit 1, except for anthropic, which the claude program can replace.
 */
export function chooseProvider(
  { provider, model }: Autopilot["analysis"],
  { env, hasClaude }: { env: Environment; hasClaude: boolean },
): ProviderChoice {
  const wanted = provider === undefined ? order : order.filter((one) => one === provider);
  const found = wanted.find((one) => keyNameOf(one, env) !== undefined);
  if (found !== undefined) return { kind: "api", api: apiSettingsOf(found, { env, model }) };
  const mayBeClaude =
    provider === undefined || provider === "anthropic" || provider === "claude_cli";
  if (mayBeClaude && hasClaude) return { kind: "claude_cli", model };
  throw missingProvider(provider);
}

const keyNameOf = (provider: ApiProvider, env: Environment) =>
  apiDefaults[provider].keys.find((name) => env[name]?.trim());

function apiSettingsOf(
  provider: ApiProvider,
  { env, model }: { env: Environment; model: string | undefined },
): ApiSettings {
  const defaults = apiDefaults[provider];
  const address = (env[defaults.urlVariable]?.trim() || defaults.defaultUrl).replace(/\/+$/, "");
  // The variable may hold the address without the version, as the claude program expects it.
  const isBare = provider === "anthropic" && !/\/v\d+$/.test(address);
  const keyName = keyNameOf(provider, env) ?? "";
  const key = env[keyName]?.trim() ?? "";
  const baseUrl = isBare ? `${address}/v1` : address;
  return { provider, baseUrl, key, keyName, model: model ?? defaults.model };
}

function missingProvider(provider: Provider | undefined): RalphError {
  if (provider === "claude_cli") {
    return new RalphError("config", {
      message:
        "`autopilot.analysis.provider` is claude_cli, and there is no claude program on PATH.",
      remedy:
        "Install Claude Code (`npm install --global @anthropic-ai/claude-code`), or choose another provider.",
    });
  }
  const names = (provider ? [provider] : order).map((one) => apiDefaults[one].keys[0]);
  const mayBeClaude = provider === undefined || provider === "anthropic";
  return new RalphError("config", {
    message: provider
      ? `\`autopilot.analysis.provider\` is ${provider}, and ${names[0]} is not set.`
      : "No model can analyze the report: no key is set, and there is no claude program on PATH.",
    remedy: `Set ${names.join(" or ")}${mayBeClaude ? ", or install Claude Code" : ""}.`,
  });
}
