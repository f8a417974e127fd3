import { RalphError } from "../../error.ts";
import type { Environment } from "../../platform/system.ts";
import type { Autopilot, Provider } from "../../schema/config/autopilot.ts";

/** How a provider is reached. Addresses are of the environment, so that a proxy or a test can stand in. */
export type Api = {
  provider: ApiProvider;
  baseUrl: string;
  key: string;
  /** The variable the key is from. */
  keyName: string;
  model: string;
};
export type ApiProvider = Exclude<Provider, "claude_cli">;
export type Choice = { kind: "api"; api: Api } | { kind: "claude_cli"; model: string | undefined };

type Way = { keys: readonly string[]; address: string; usual: string; model: string };

/** In the order in which they are looked for (compatibility 1.21). */
const ways: Readonly<Record<ApiProvider, Way>> = {
  gateway: {
    keys: ["AI_GATEWAY_API_KEY", "VERCEL_OIDC_TOKEN"],
    address: "AI_GATEWAY_URL",
    usual: "https://ai-gateway.vercel.sh/v1",
    model: "anthropic/claude-opus-4.5",
  },
  anthropic: {
    keys: ["ANTHROPIC_API_KEY"],
    address: "ANTHROPIC_BASE_URL",
    usual: "https://api.anthropic.com/v1",
    model: "claude-opus-4-5-20251101",
  },
  openai: {
    keys: ["OPENAI_API_KEY"],
    address: "OPENAI_BASE_URL",
    usual: "https://api.openai.com/v1",
    model: "gpt-5.5",
  },
  openrouter: {
    keys: ["OPENROUTER_API_KEY"],
    address: "OPENROUTER_BASE_URL",
    usual: "https://openrouter.ai/api/v1",
    model: "anthropic/claude-opus-4.5",
  },
};
const order = Object.keys(ways) as ApiProvider[];

/**
 * Who is asked: the configured provider, else the first with a key, else the claude program. A configured provider
 * without its key is exit 1, but for anthropic, which the claude program can stand in for.
 */
export function chooseProvider(
  { provider, model }: Autopilot["analysis"],
  { env, hasClaude }: { env: Environment; hasClaude: boolean },
): Choice {
  const wanted = provider === undefined ? order : order.filter((one) => one === provider);
  const found = wanted.find((one) => keyNameOf(one, env) !== undefined);
  if (found !== undefined) return { kind: "api", api: apiOf(found, { env, model }) };
  const mayBeClaude =
    provider === undefined || provider === "anthropic" || provider === "claude_cli";
  if (mayBeClaude && hasClaude) return { kind: "claude_cli", model };
  throw missing(provider);
}

/** The variable that holds a provider's key, if one does. */
const keyNameOf = (provider: ApiProvider, env: Environment) =>
  ways[provider].keys.find((name) => env[name]?.trim());

function apiOf(
  provider: ApiProvider,
  { env, model }: { env: Environment; model: string | undefined },
): Api {
  const way = ways[provider];
  const address = (env[way.address]?.trim() || way.usual).replace(/\/+$/, "");
  // The claude program wants its address without the version.
  const isBare = provider === "anthropic" && !/\/v\d+$/.test(address);
  const keyName = keyNameOf(provider, env) ?? "";
  const key = env[keyName]?.trim() ?? "";
  const baseUrl = isBare ? `${address}/v1` : address;
  return { provider, baseUrl, key, keyName, model: model ?? way.model };
}

function missing(provider: Provider | undefined): RalphError {
  if (provider === "claude_cli") {
    return new RalphError("config", {
      message:
        "`autopilot.analysis.provider` is claude_cli, and there is no claude program on PATH.",
      remedy:
        "Install Claude Code (`npm install --global @anthropic-ai/claude-code`), or choose another provider.",
    });
  }
  const names = (provider ? [provider] : order).map((one) => ways[one].keys[0]);
  const [key = "", ...others] = names;
  return new RalphError("config", {
    message: provider
      ? `\`autopilot.analysis.provider\` is ${provider}, and ${key} is not set.`
      : "There is no model to analyse the report with: no key is set, and there is no claude program on PATH.",
    remedy: `Set ${[key, ...others].join(" or ")}${provider === undefined || provider === "anthropic" ? ", or install Claude Code" : ""}.`,
  });
}
