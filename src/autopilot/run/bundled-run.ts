import { RalphError } from "../../error.ts";
import type { ReadFiles } from "../../platform/system.ts";
import { maxPlanBytes, planFile } from "../../session/bundle/bundled-plan.ts";
import { type AutopilotRun, parseAutopilotRun } from "./autopilot-run.ts";

/** The autopilot run a bundle belongs to; nothing of it is believed yet. Undefined: it is a plain run's. */
export async function readBundledRun(files: ReadFiles): Promise<AutopilotRun | undefined> {
  const bytes = await files.read(planFile, { maxBytes: maxPlanBytes });
  if (bytes === undefined) return undefined;
  const run = parseAutopilotRun(bytes);
  if (run) return run;
  throw new RalphError("source", {
    message: `${files.root}/${planFile} is not what an autopilot run of ours writes.`,
    remedy: "Give the folder of a whole session artifact.",
  });
}

/** The same where nothing goes on without it (exit 2). */
export async function requireBundledRun(files: ReadFiles): Promise<AutopilotRun> {
  const run = await readBundledRun(files);
  if (run) return run;
  throw new RalphError("source", {
    message: `${files.root} is no bundle of an autopilot run: there is no ${planFile} in it.`,
    remedy: "A plain session goes on with `ralph run --resume FOLDER`.",
  });
}
