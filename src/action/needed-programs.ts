import { calledAgents } from "../agents/called-agents.ts";
import { findProgram } from "../agents/find-program.ts";
import { flagsOf } from "../door/run-options.ts";
import { openProject } from "../loop/open-project.ts";
import { applyOverrides } from "../system/config-overrides.ts";
import { checkAgentInputs } from "./check-agent-inputs.ts";
import { makeConfigFor } from "./make-config.ts";
import { directoryOf, requestOf, sessionSystem } from "./request.ts";
import type { StepContext } from "./step.ts";

/**
 * The agent programs of ours that this run would call and that are not on the runner. One whose version the
 * workflow names is needed in any case.
 */
export async function neededPrograms(context: StepContext): Promise<string[]> {
  const { inputs } = context;
  const system = sessionSystem(context.system, context);
  const directory = directoryOf(inputs, system.env);
  const { config: path, options } = requestOf(inputs, { directory, bundle: undefined });
  const project = await openProject(system, {
    directory,
    config: path,
    tasks: options.prdJson,
    makeConfig: makeConfigFor(system),
  });
  const flags = flagsOf(options, system.env);
  const config = applyOverrides(project.config, { env: system.env, flags });
  const isPinned = inputs["agent-version"] !== undefined;
  const needed = new Set<string>();
  const agents = calledAgents(config, system.env);
  checkAgentInputs(inputs, agents);
  for (const { driver, file } of agents) {
    if (file !== driver.program) continue;
    const isThere = await findProgram(system, { file, root: project.root });
    if (isPinned || isThere === undefined) needed.add(driver.name);
  }
  return [...needed];
}
