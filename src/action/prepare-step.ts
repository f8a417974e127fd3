import { setOutput } from "@actions/core";
import { installProgram } from "./install-program.ts";
import { neededPrograms } from "./needed-programs.ts";
import { requireCheckout } from "./require-checkout.ts";
import type { StepContext } from "./step.ts";

/** Before any key is in reach: checks inputs and project, and installs the agent programs that are not there. */
export async function prepareStep(context: StepContext): Promise<number> {
  const { system, inputs, print } = context;
  if (inputs.command !== "run" || inputs.mode === "publish") return 0;
  const { GITHUB_ACTION_PATH: home = ".", RUNNER_TEMP: temporary = "/tmp" } = system.env;
  await requireCheckout(context);
  const folders: string[] = [];
  for (const program of await neededPrograms(context)) {
    print.line(`Installing ${program} ${inputs["agent-version"] ?? "in its pinned version"} …`);
    const { folder, ms } = await installProgram(system, {
      program,
      pins: `${home}/src/action/programs`,
      place: `${temporary}/ralph-agents`,
      version: inputs["agent-version"],
    });
    print.line(`${program} is installed (${(ms / 1000).toFixed(1)} s).`);
    folders.push(folder);
  }
  setOutput("path", folders.map((folder) => `${folder}:`).join(""));
  return 0;
}
