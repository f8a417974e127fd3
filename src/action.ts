import { claimStep } from "./action/claim-step.ts";
import { downloadStep } from "./action/download-step.ts";
import { readInputs } from "./action/inputs.ts";
import { prepareStep } from "./action/prepare-step.ts";
import { printTo } from "./action/print.ts";
import { publishStep } from "./action/publish-step.ts";
import { releaseStep } from "./action/release-step.ts";
import { requirePlatform } from "./action/require-platform.ts";
import { runStep } from "./action/run-step.ts";
import { sealStep } from "./action/seal-step.ts";
import type { Step } from "./action/step.ts";
import { tellError } from "./action/tell-error.ts";
import { verifyStep } from "./action/verify-step.ts";
import { createCancelSignal } from "./door/cancel-signal.ts";
import { RalphError } from "./error.ts";
import { createSystem } from "./system/create-system.ts";
import { readDescriptor } from "./system/read-descriptor.ts";

/** The steps of action.yml, each a process of its own: `node dist/action.js run`. */
const steps: Record<string, Step> = {
  prepare: prepareStep,
  claim: claimStep,
  download: downloadStep,
  run: runStep,
  seal: sealStep,
  verify: verifyStep,
  publish: publishStep,
  release: releaseStep,
};

/** Keys and tokens come by descriptor: the first environment of a process can be read as long as it lives (T16). */
const handedBy = 3;

const print = printTo(process.stdout);
const cancel = createCancelSignal(process);
try {
  process.exitCode = await perform(process.argv[2] ?? "");
} catch (error) {
  process.exitCode = tellError(error, print);
}

async function perform(name: string): Promise<number> {
  const step = steps[name];
  if (!step) {
    throw new RalphError("config", {
      message: `There is no step named "${name}".`,
      remedy: `This program is started by action.yml with one of: ${Object.keys(steps).join(", ")}.`,
    });
  }
  requirePlatform(process.platform);
  const system = createSystem();
  const handed = readDescriptor(handedBy) ?? "";
  return step({ system, inputs: readInputs(system.env), handed, cancel, print });
}
