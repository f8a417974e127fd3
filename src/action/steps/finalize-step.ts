import { setOutput } from "@actions/core";
import { finalizeRun } from "../../autopilot/run/finalize-run.ts";
import { addPage } from "../../entry/session-page.ts";
import { RalphError } from "../../error.ts";
import { journalFile } from "../../journal/journal.ts";
import type { Files } from "../../platform/system.ts";
import { finalizeBundle, packFile, planFile } from "../../session/bundle/bundled-objects.ts";
import { locateProject } from "../../session/open/locate-project.ts";
import { directoryOf } from "../inputs/request.ts";
import type { StepContext } from "../step.ts";

/** The largest artifact that can be downloaded again; a larger session contains files of no task. */
const maxBundleBytes = 512 * 1024 * 1024;

/** Completes the bundle, even if the process that wrote it was killed, before it is uploaded. */
export async function finalizeStep(context: StepContext): Promise<number> {
  const { system, print } = context;
  const folder = system.env.RALPH_BUNDLE ?? "";
  const kind = await finalize(context, folder);
  if (kind === "empty") {
    print.line("The session was killed before it started; there is nothing to keep.");
    return 0;
  }
  if (kind === "sealed") print.line("The session was killed; the tasks it had passed are kept.");
  const bundle = system.files(folder);
  await addPage(bundle);
  const bytes = await sizeOf(bundle);
  if (bytes > maxBundleBytes) {
    throw new RalphError("source", {
      message: `The session has ${Math.round(bytes / 1024 ** 2)} MiB, more than the ${maxBundleBytes / 1024 ** 2} MiB that can be kept.`,
      remedy: "Split the tasks over several sessions, or let them add smaller files.",
    });
  }
  setOutput("bundle", folder);
  return 0;
}

async function finalize({ system, inputs }: StepContext, folder: string) {
  const directory = directoryOf(inputs, system.env);
  if (inputs.command !== "autopilot") return finalizeBundle(system, { directory, folder });
  const isEnded = await system.files(folder).stat(packFile);
  const finalized = await finalizeRun(system, await locateProject(system, directory));
  if (!finalized) return "empty";
  return isEnded ? "whole" : "sealed";
}

async function sizeOf(files: Files): Promise<number> {
  const evidence = (await files.list("evidence")).map((name) => `evidence/${name}`);
  const stats = [packFile, planFile, journalFile, ...evidence].map((path) => files.stat(path));
  return (await Promise.all(stats)).reduce((sum, stat) => sum + (stat?.bytes ?? 0), 0);
}
