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
  const lines = text.split("\n").map((line) => line.trim());
  const problems: string[] = [];
  const variables: Record<string, string> = {};
  for (const [index, line] of lines.entries()) {
    const [, name, value = ""] = variablePattern.exec(line) ?? [];
    if (name === undefined && line !== "") {
      problems.push(`Line ${index + 1} of the variables is not NAME=value.`);
    } else if (name !== undefined && runnersOwn.test(name)) {
      problems.push(`The variable ${name} belongs to the runner, so the workflow cannot set it.`);
    } else if (name !== undefined) {
      variables[name] = value;
    }
  }
  if (problems.length === 0) return variables;
  throw new RalphError("config", {
    message: problems.join(" "),
    remedy: "Correct the input or the secret `variables`: one NAME=value a line.",
  });
}
