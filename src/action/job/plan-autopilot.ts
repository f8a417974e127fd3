import { findProgram } from "../../agents/call/agent-version.ts";
import { driverNamed } from "../../agents/drivers/drivers.ts";
import { programOf } from "../../agents/drivers/program.ts";
import { chooseProvider } from "../../autopilot/llm/choose-provider.ts";
import type { System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { findRoot } from "../../session/open/locate-project.ts";
import { readConfig } from "../../sources/config-file.ts";
import { applyOverrides } from "../../sources/config-overrides.ts";
import { directoryOf, runOptionsOf, sessionSystem } from "../inputs/request.ts";
import type { Planned } from "../install/needed-programs.ts";
import type { StepContext } from "../step.ts";

/** The project of an autopilot, which needs a configuration but no task list. */
export async function planAutopilot(context: StepContext): Promise<Planned> {
  const { inputs } = context;
  const system = sessionSystem(context.system, context);
  const directory = directoryOf(inputs, system.env);
  const root = await findRoot(system, directory);
  const path = inputs.config ?? (system.env.RALPH_CONFIG || ".ralph/ralph.yml");
  const { config } = await readConfig(system.files(root), path);
  const flags = runOptionsOf(inputs, { env: system.env });
  return { system, root, config: applyOverrides(config, { env: system.env, flags }) };
}

/**
 * Adds the names of the keys the workflow passes to a later step, as RALPH_GIVEN_KEYS lists them; the values are
 * placeholders.
 */
export function withGivenKeys(planned: Planned): Planned {
  const { system } = planned;
  const given = system.env.RALPH_GIVEN_KEYS?.split(/\s+/).filter(Boolean) ?? [];
  const env = { ...system.env, ...Object.fromEntries(given.map((name) => [name, "given"])) };
  return { ...planned, system: { ...system, env } };
}

/**
 * The program that answers the planning questions, if it is not on the runner and no provider's key is given; it is
 * installed like the programs of agents.
 */
export async function neededPlanner({ system, root, config }: Planned): Promise<string[]> {
  const { env } = system;
  const name = plannerOf(config, env);
  if (name === undefined) return [];
  const { planning } = config.agents;
  const settings = planning.driver === name ? planning : { args: [] };
  const driver = driverNamed(name);
  const [file] = programOf(driver, settings, env);
  if (file !== driver.program || (await findProgram(system, { file, root }))) return [];
  return [name];
}

/** Undefined: a provider's API answers. */
function plannerOf(
  { autopilot: { analysis }, agents }: Config,
  env: System["env"],
): string | undefined {
  const { provider } = analysis;
  if (provider === undefined || provider === "anthropic" || provider === "claude_cli") {
    const { kind } = chooseProvider(analysis, { env, hasClaude: true });
    if (kind === "api") return undefined;
    return provider === undefined ? agents.planning.driver : "claude";
  }
  return undefined;
}
