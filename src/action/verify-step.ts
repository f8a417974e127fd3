import { stopReasons } from "../error.ts";
import { proofFile, renderHandedProof } from "../github/handed-proof.ts";
import { locateProject } from "../loop/locate-project.ts";
import { proveHead } from "../loop/prove-head.ts";
import { renderProofPage, renderProofStep, renderVerdict } from "../surfaces/views/prove-text.ts";
import { workflowCommand } from "../surfaces/views/workflow-command.ts";
import type { System } from "../system/system.ts";
import { downloadedBundle } from "./downloaded-bundle.ts";
import { makeConfigFor } from "./make-config.ts";
import { writeOutputs } from "./outputs.ts";
import { directoryOf } from "./request.ts";
import { requireDigest } from "./require-digest.ts";
import { writePage } from "./show-outcome.ts";
import type { StepContext } from "./step.ts";
import { removeAndTell } from "./tell-removed.ts";

/** The clean room (design 5): the session's work is proved again on this machine, where no agent has been. */
export async function verifyStep(context: StepContext): Promise<number> {
  const { system, inputs, print, cancel } = context;
  const directory = directoryOf(inputs, system.env);
  await removeAndTell(context, directory);
  const place = await locateProject(system, directory);
  const bundle = await downloadedBundle(system);
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
  await keepProof(system, handed);
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

/** The same as the output, for the artifact that follows: a publisher outside of the workflow cannot read outputs. */
async function keepProof({ files, env }: Pick<System, "files" | "env">, proof: string) {
  await files(env.RUNNER_TEMP || "/tmp").write(`ralph-proof/${proofFile}`, `${proof}\n`);
}
