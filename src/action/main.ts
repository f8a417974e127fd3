import { createCancelSignal } from "../entry/cancel-signal.ts";
import { RalphError } from "../error.ts";
import { createSystem } from "../platform/create-system.ts";
import { readDescriptor } from "../platform/read-descriptor.ts";
import { requirePlatform } from "./checks/checks.ts";
import { readInputs } from "./inputs/inputs.ts";
import { reportJobError } from "./job/report-job-error.ts";
import { printTo } from "./print.ts";
import type { ActionStep } from "./step.ts";
import { beginStep } from "./steps/begin-step.ts";
import { claimStep } from "./steps/claim-step.ts";
import { downloadStep } from "./steps/download-step.ts";
import { finalizeStep } from "./steps/finalize-step.ts";
import { prepareStep } from "./steps/prepare-step.ts";
import { publishStep } from "./steps/publish-step.ts";
import { releaseStep } from "./steps/release-step.ts";
import { runStep } from "./steps/run-step.ts";
import { verifyStep } from "./steps/verify-step.ts";

/** The steps of action.yml; each runs in its own process: `node dist/action.js run`. */
const steps: Record<string, ActionStep> = {
  begin: beginStep,
  prepare: prepareStep,
  claim: claimStep,
  download: downloadStep,
  run: runStep,
  seal: finalizeStep,
  verify: verifyStep,
  publish: publishStep,
  release: releaseStep,
};

/** Keys and tokens arrive on this descriptor: the initial environment of a process stays readable (T16). */
const secretsDescriptor = 3;

const print = printTo(process.stdout);
const cancel = createCancelSignal(process);
try {
  process.exitCode = await perform(process.argv[2] ?? "");
} catch (error) {
  process.exitCode = reportJobError(error, print);
}

async function perform(name: string): Promise<number> {
  const step = steps[name];
  if (!step) {
    throw new RalphError("config", {
      message: `There is no step named "${name}".`,
      remedy: `action.yml starts this program with one of: ${Object.keys(steps).join(", ")}.`,
    });
  }
  requirePlatform(process.platform);
  const system = createSystem();
  const handed = readDescriptor(secretsDescriptor) ?? "";
  return step({ system, inputs: readInputs(system.env), handed, cancel, print });
}
