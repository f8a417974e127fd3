import { RalphError } from "../../error.ts";
import type { Environment } from "../../platform/system.ts";
import type { Autopilot, Provider } from "../../schema/config/autopilot.ts";

/** How a provider is reached. Addresses are of the environment, so that a proxy or a test can stand in. */
export type ApiSettings = {
  provider: ApiProvider;
  baseUrl: string;
  key: string;
  /** The variable the key is from. */
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

/** In the order in which they are looked for (compatibility 1.21). */
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
 * Who is asked: the configured provider, else the first with a key, else the claude program. A configured provider
 * without its key is exit 1, but for anthropic, which the claude program can stand in for.
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

/** The variable that holds a provider's key, if one does. */
const keyNameOf = (provider: ApiProvider, env: Environment) =>
  apiDefaults[provider].keys.find((name) => env[name]?.trim());

function apiSettingsOf(
  provider: ApiProvider,
  { env, model }: { env: Environment; model: string | undefined },
): ApiSettings {
  const way = apiDefaults[provider];
  const address = (env[way.urlVariable]?.trim() || way.defaultUrl).replace(/\/+$/, "");
  // The claude program wants its address without the version.
  const isBare = provider === "anthropic" && !/\/v\d+$/.test(address);
  const keyName = keyNameOf(provider, env) ?? "";
  const key = env[keyName]?.trim() ?? "";
  const baseUrl = isBare ? `${address}/v1` : address;
  return { provider, baseUrl, key, keyName, model: model ?? way.model };
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
  const [key = "", ...others] = names;
  return new RalphError("config", {
    message: provider
      ? `\`autopilot.analysis.provider\` is ${provider}, and ${key} is not set.`
      : "There is no model to analyse the report with: no key is set, and there is no claude program on PATH.",
    remedy: `Set ${[key, ...others].join(" or ")}${provider === undefined || provider === "anthropic" ? ", or install Claude Code" : ""}.`,
  });
}
