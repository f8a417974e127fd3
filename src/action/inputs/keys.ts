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

/** The model keys of the run step, one per line, and then the variables of the workflow; no ralph process ever has them in its initial environment (T16). */
export function parseKeys(handed: string): Environment {
  const [keys = "", variables = ""] = handed.replace(/\n$/, "").split(/\n--\n?/, 2);
  const lines = keys.split("\n");
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
  return { ...Object.fromEntries(given), ...parseVariables(variables) };
}

const variablePattern = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/;
const runnersOwn = /^(?:GITHUB|RUNNER|ACTIONS|RALPH|INPUT|LD)_|^(?:PATH|HOME|CI|NODE_OPTIONS)$/;

/** The workflow's variables for agents and gates, one NAME=value a line; exit 1 for a name of the runner's own. */
export function parseVariables(text: string): Environment {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const pairs = lines.map((line) => variablePattern.exec(line)?.slice(1) ?? []);
  const wrong = pairs.findIndex(([name]) => name === undefined || runnersOwn.test(name));
  if (wrong === -1) return Object.fromEntries(pairs);
  const [name] = pairs[wrong] ?? [];
  throw new RalphError("config", {
    message: name
      ? `The variable ${name} belongs to the runner, so the workflow cannot set it.`
      : `Line ${wrong + 1} of the variables is not NAME=value.`,
    remedy: "Correct the input or the secret `variables`: one NAME=value a line.",
  });
}
