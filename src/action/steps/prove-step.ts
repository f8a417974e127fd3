import { stopReasons } from "../../error.ts";
import { proofFile, renderHandedProof } from "../../github/artifacts/handed-proof.ts";
import type { Environment } from "../../platform/system.ts";
import { proveHead } from "../../session/clean-room/prove-head.ts";
import { locateProject } from "../../session/open/locate-project.ts";
import { workflowCommand } from "../../views/job/workflow-command.ts";
import {
  renderProofPage,
  renderProofStep,
  renderVerdict,
} from "../../views/terminal/prove-text.ts";
import { removeCheckoutToken } from "../checks/checkout-credentials.ts";
import { requireDigest } from "../checks/checks.ts";
import { downloadedBundle } from "../inputs/downloaded-bundle.ts";
import { hasOldName } from "../inputs/inputs.ts";
import { parseVariables } from "../inputs/keys.ts";
import { makeConfigFor } from "../inputs/make-config.ts";
import { directoryOf } from "../inputs/request.ts";
import { writeOutputs } from "../job/outputs.ts";
import { writePage } from "../job/show-outcome.ts";
import type { StepContext } from "../step.ts";

/** The clean room (design 5): proves the session's work again on a machine where no agent has run. */
export async function proveStep(context: StepContext): Promise<number> {
  const { inputs, print, cancel } = context;
  if (hasOldName(context.system.env)) print.command(workflowCommand("warning", renamed));
  const env: Environment = { ...context.system.env, ...parseVariables(context.handed) };
  const system = { ...context.system, env };
  const directory = directoryOf(inputs, system.env);
  await removeCheckoutToken(context, directory);
  const place = await locateProject(system, directory);
  const bundle = await downloadedBundle(system, inputs);
  await requireDigest(system, bundle);
  const proof = await proveHead(system, {
    ...place,
    bundle,
    cancel,
    makeConfig: makeConfigFor(system),
    sandbox: inputs.sandbox,
    baseBranch: inputs["base-branch"],
    notice: (step) => print.line(renderProofStep(step)),
  });
  const verdict = renderVerdict(proof, place.store.folder);
  print.line(verdict);
  await writePage(context, renderProofPage(proof));
  const isProved = proof.kind === "proved";
  const handed = renderHandedProof(proof);
  // A publisher outside of the workflow cannot read outputs: it takes the proof from an artifact.
  const files = system.files(env.RUNNER_TEMP || "/tmp");
  await files.write(`ralph-proof/${proofFile}`, `${handed}\n`);
  const reason = isProved ? "all_done" : "gate_fatal";
  writeOutputs({
    status: isProved ? "completed" : "failed",
    "stop-reason": reason,
    "exit-code": String(stopReasons[reason]),
    proof: handed,
  });
  if (!isProved) print.command(workflowCommand("error", verdict, { title: "ralph: refuted" }));
  return stopReasons[reason];
}

const renamed =
  "`command: verify` is now called `command: prove`; the old name goes away with the next major version. Runtime verification has the inputs post-verify and env.";
