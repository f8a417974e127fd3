import { createCancelSignal } from "../entry/cancel-signal.ts";
import { RalphError } from "../error.ts";
import { createSystem } from "../platform/create-system.ts";
import { readDescriptor } from "../platform/input.ts";
import { requirePlatform } from "./checks/checks.ts";
import { readInputs } from "./inputs/inputs.ts";
import { reportJobError } from "./job/report-job-error.ts";
import { type ActionStep, printTo } from "./step.ts";

/** The steps of action.yml; each runs in its own process, which loads its own code only: `node dist/action.js run`. */
const steps: Record<string, () => Promise<ActionStep>> = {
  begin: async () => (await import("./steps/begin-step.ts")).beginStep,
  prepare: async () => (await import("./steps/prepare-step.ts")).prepareStep,
  claim: async () => (await import("./steps/claim-step.ts")).claimStep,
  download: async () => (await import("./steps/download-step.ts")).downloadStep,
  run: async () => (await import("./steps/run-step.ts")).runStep,
  seal: async () => (await import("./steps/finalize-step.ts")).finalizeStep,
  prove: async () => (await import("./steps/prove-step.ts")).proveStep,
  publish: async () => (await import("./steps/publish-step.ts")).publishStep,
  release: async () => (await import("./steps/claim-step.ts")).releaseStep,
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
  const loadStep = steps[name];
  if (!loadStep) {
    throw new RalphError("config", {
      message: `There is no step named "${name}".`,
      remedy: `action.yml starts this program with one of: ${Object.keys(steps).join(", ")}.`,
    });
  }
  requirePlatform(process.platform);
  const system = createSystem();
  const handed = readDescriptor(secretsDescriptor) ?? "";
  const step = await loadStep();
  return step({ system, inputs: readInputs(system.env), handed, cancel, print });
}
