import type { System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { openProject, type Project } from "../../session/open/open-project.ts";
import { applyOverrides } from "../../sources/config-overrides.ts";
import type { StepContext } from "../step.ts";
import { makeConfigFor } from "./make-config.ts";
import { directoryOf, runOptionsOf, sessionSystem } from "./request.ts";

/** The project of the run step, and its configuration with the inputs applied. */
export type PlannedRun = { system: System; project: Project; config: Config };

/** Reads configuration and task list before anything is installed or spent; throws on any fault in them. */
export async function planRun(context: StepContext): Promise<PlannedRun> {
  const { inputs } = context;
  const system = sessionSystem(context.system, context);
  const directory = directoryOf(inputs, system.env);
  const options = runOptionsOf(inputs, { env: system.env });
  const project = await openProject(system, {
    directory,
    config: inputs.config,
    tasks: options.prdJson,
    makeConfig: makeConfigFor(system),
  });
  const config = applyOverrides(project.config, { env: system.env, flags: options });
  return { system, project, config };
}
