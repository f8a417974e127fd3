import type { ConfigRule } from "../config-sketch.ts";
import { type Finding, warningAt } from "../finding.ts";
import { type Agents, agentRoles } from "./agents.ts";

/** Rules about agents. */
export const agentRules: ConfigRule[] = [({ agents }) => (agents ? strangeModels(agents) : [])];

/** Aliases of the program, and full names, also as gateways and clouds write them. */
const claudeModel = /claude|^(?:default|haiku|inherit|opus|opusplan|sonnet)(?:\[\w+\])?$/i;

/** Specs 004 8.1.6 asks for Claude models; gateways know others, so this is no more than a hint (compatibility 1.14). */
function strangeModels(agents: Agents): Finding[] {
  return agentRoles.flatMap((role) => {
    const { model, driver, command } = agents[role];
    const isOurs = driver !== "claude" || command !== undefined;
    if (isOurs || model === undefined || claudeModel.test(model)) return [];
    return [
      warningAt(
        ["agents", role, "model"],
        `is "${model}", no name of a Claude model; the driver "claude" may refuse it`,
      ),
    ];
  });
}
