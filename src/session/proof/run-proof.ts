import type { StepOf } from "../../core/decide/step.ts";
import type { FactOf } from "../../core/state/event.ts";
import { gateKeyOf } from "../../gates/gate-key.ts";
import type { GateResult } from "../../gates/gates.ts";
import type { Gate } from "../../schema/config/gates.ts";
import { gateNamed } from "../loop/policy-of.ts";
import { record, type SessionContext } from "../loop/session-context.ts";
import { openProofWorktree } from "../workers/workers.ts";
import { judgeBuilt } from "./judge-gate.ts";
import { brokenSetup } from "./judging-place.ts";

/** Runs one gate on a proof tree and journals what it says. */
export async function runProof(session: SessionContext, step: StepOf<"run-proof">): Promise<void> {
  const run = await measureProof(session, step);
  if (run) await record(session, run);
}

/** Runs one gate on a proof tree, in a work tree no agent can reach. Undefined when the user cancelled. */
export async function measureProof(
  session: SessionContext,
  { task, part, tree, gate: name }: Omit<StepOf<"run-proof">, "kind">,
): Promise<FactOf<"proof_gate_end"> | undefined> {
  const gate = gateNamed(session.config, "full", name);
  const result = await runInProofTree(session, gate, { task, tree });
  if (!result || session.cancel.aborted) return undefined;
  const { status, detail, fingerprints, tests, planted, isLoadError, ms } = result;
  return {
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
    ...(planted && { planted }),
    is_load_error: isLoadError,
    ms,
    output: await session.evidence.put(result.output, result.outputBytes),
  };
}

/** Undefined when the user cancelled. A tree whose setup fails, or whose gate changes files, proves nothing. */
async function runInProofTree(
  session: SessionContext,
  gate: Gate,
  { task, tree }: { task: string; tree: string },
): Promise<GateResult | undefined> {
  const opened = await openProofWorktree(session, tree);
  if (opened.kind === "stopped") return undefined;
  if (opened.kind === "broken") return brokenSetup(opened.result);
  return judgeBuilt(opened.context, gate, task);
}
