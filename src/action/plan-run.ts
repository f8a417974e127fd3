import { flagsOf } from "../door/run-options.ts";
import { openProject, type Project } from "../loop/open-project.ts";
import type { Config } from "../model/config.ts";
import { applyOverrides } from "../system/config-overrides.ts";
import type { System } from "../system/system.ts";
import { makeConfigFor } from "./make-config.ts";
import { directoryOf, requestOf, sessionSystem } from "./request.ts";
import type { StepContext } from "./step.ts";

/** The project as the run step will find it, and what the inputs make of its configuration. */
export type Plan = { system: System; project: Project; config: Config };

/** Reads configuration and task list before anything is installed or spent; what is wrong with them is thrown. */
export async function planRun(context: StepContext): Promise<Plan> {
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
  return { system, project, config: applyOverrides(project.config, { env: system.env, flags }) };
}
