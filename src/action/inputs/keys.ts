import { RalphError } from "../../error.ts";
import type { Environment } from "../../platform/system.ts";

/** The secret inputs in the order action.yml passes them, and the variable an agent gets each in. */
export const keyInputs = [
  { input: "anthropic-api-key", variable: "ANTHROPIC_API_KEY" },
  { input: "claude-code-oauth-token", variable: "CLAUDE_CODE_OAUTH_TOKEN" },
  { input: "openai-api-key", variable: "OPENAI_API_KEY" },
  { input: "openrouter-api-key", variable: "OPENROUTER_API_KEY" },
  { input: "ai-gateway-api-key", variable: "AI_GATEWAY_API_KEY" },
] as const;

/** The model keys of the run step, one per line; no ralph process ever has them in its initial environment (T16). */
export function parseKeys(handed: string): Environment {
  const lines = handed.replace(/\n$/, "").split("\n");
  if (lines.length > keyInputs.length) {
    throw new RalphError("config", {
      message: "A model key contains a line break.",
      remedy: "Store each secret as a single line, without a line break at its end.",
    });
  }
  const given = keyInputs.flatMap(({ variable }, index) => {
    const value = lines[index]?.trim();
    return value ? [[variable, value] as const] : [];
  });
  return Object.fromEntries(given);
}
