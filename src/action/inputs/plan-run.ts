import type { System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { findRoot } from "../../session/open/locate-project.ts";
import { openProject, type Project } from "../../session/open/open-project.ts";
import { configPathOf, readConfig } from "../../sources/config-file.ts";
import { applyOverrides } from "../../sources/config-overrides.ts";
import type { StepContext } from "../step.ts";
import { makeConfigFor } from "./make-config.ts";
import { directoryOf, runOptionsOf, sessionSystem } from "./request.ts";

/** The system a job's programs run in, the project's root, and its configuration with the inputs applied. */
export type Planned = { system: System; root: string; config: Config };
export type PlannedRun = Planned & { project: Project };

/** Reads configuration and task list before anything is installed or spent; throws on any fault in them. */
export async function planRun(context: StepContext): Promise<PlannedRun> {
  const { inputs } = context;
  const system = sessionSystem(context.system, context);
  const flags = runOptionsOf(inputs, { env: system.env });
  const project = await openProject(system, {
    directory: directoryOf(inputs, system.env),
    config: inputs.config,
    tasks: flags.prdJson,
    makeConfig: makeConfigFor(system),
  });
  const config = applyOverrides(project.config, { env: system.env, flags });
  return { system, root: project.root, project, config };
}

/** The project of an autopilot, which needs a configuration but no task list. */
export async function planAutopilot(context: StepContext): Promise<Planned> {
  const { inputs } = context;
  const system = sessionSystem(context.system, context);
  const root = await findRoot(system, directoryOf(inputs, system.env));
  const path = configPathOf(system.env, inputs.config);
  const { config } = await readConfig(system.files(root), path);
  const flags = runOptionsOf(inputs, { env: system.env });
  return { system, root, config: applyOverrides(config, { env: system.env, flags }) };
}
