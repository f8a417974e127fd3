import { type Finding, warningAt } from "../base/finding.ts";
import { type Agents, agentRoles } from "./agents.ts";
import type { ConfigRule } from "./config-sketch.ts";

/** Rules about agents. */
export const agentRules: ConfigRule[] = [
  ({ agents }) => (agents ? [...strangeModels(agents), ...ignoredTools(agents)] : []),
];

/** Aliases of the program, and full names, also as gateways and clouds write them. */
const claudeModel = /claude|^(?:default|haiku|inherit|opus|opusplan|sonnet)(?:\[\w+\])?$/i;

/** Specs 004 8.1.6 requires Claude models; gateways offer others, so this is only a warning (compatibility 1.14). */
function strangeModels(agents: Agents): Finding[] {
  return agentRoles.flatMap((role) => {
    const { model, driver, command } = agents[role];
    const isOurs = driver !== "claude" || command !== undefined;
    if (isOurs || model === undefined || claudeModel.test(model)) return [];
    return [
      warningAt(
        ["agents", role, "model"],
        `is "${model}", not the name of a Claude model; the driver "claude" may refuse it`,
      ),
    ];
  });
}

/** Drivers that pass `allowed_tools` on; an unknown driver is refused elsewhere. */
const listsTools = ["claude"];

/** An ignored list is worse than none, because the user depends on it (src/agents/README.md). */
function ignoredTools(agents: Agents): Finding[] {
  return agentRoles.flatMap((role) => {
    const { allowed_tools, driver } = agents[role];
    if (allowed_tools.length === 0 || listsTools.includes(driver)) return [];
    return [
      warningAt(
        ["agents", role, "allowed_tools"],
        `is ignored: the driver "${driver}" cannot be given a list of tools; remove it, or use the driver "claude"`,
      ),
    ];
  });
}
