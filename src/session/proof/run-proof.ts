import type { StepOf } from "../../core/decide/step.ts";
import { gateKeyOf } from "../../gates/gate-key.ts";
import type { GateResult } from "../../gates/gates.ts";
import type { Gate } from "../../schema/config/gates.ts";
import { gateNamed } from "../loop/policy-of.ts";
import { record, type SessionContext } from "../loop/session-context.ts";
import { openProofWorktree } from "../workers/workers.ts";
import { judgeGate } from "./judge-gate.ts";
import { brokenSetup } from "./judging-place.ts";

/** Runs one gate on a proof tree, in a work tree no agent can reach, and journals what it says. */
export async function runProof(session: SessionContext, step: StepOf<"run-proof">): Promise<void> {
  const { task, part, tree } = step;
  const gate = gateNamed(session.config, "full", step.gate);
  const result = await runInProofTree(session, gate, tree);
  if (!result || session.cancel.aborted) return;
  const { status, detail, fingerprints, tests, isLoadError, ms } = result;
  await record(session, {
    type: "proof_gate_end",
    task,
    part,
    gate: gate.name,
    key: gateKeyOf(gate),
    tree,
    status,
    detail,
    fingerprints,
    ...(tests && { tests }),
    is_load_error: isLoadError,
    ms,
    output: await session.evidence.put(result.output, result.outputBytes),
  });
}

/** Undefined when the user cancelled. A tree whose setup fails, or whose gate changes files, proves nothing. */
async function runInProofTree(
  session: SessionContext,
  gate: Gate,
  tree: string,
): Promise<GateResult | undefined> {
  const opened = await openProofWorktree(session, tree);
  if (opened.kind === "stopped") return undefined;
  if (opened.kind === "broken") return brokenSetup(opened.result);
  // What a fixing gate changes here is nobody's work.
  const keep = gate.fixes ? async () => {} : undefined;
  return (await judgeGate(opened.context, gate, keep)).result;
}
