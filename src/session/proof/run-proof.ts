import type { StepOf } from "../../core/decide/step.ts";
import { gateKeyOf } from "../../gates/gate-key.ts";
import { type GateResult, runGate } from "../../gates/gates.ts";
import type { Gate } from "../../schema/config/gates.ts";
import { gateDeps } from "../loop/gate-deps.ts";
import { gateNamed } from "../loop/policy-of.ts";
import { seeChanges } from "../loop/see-changes.ts";
import { record, type SessionContext } from "../loop/session-context.ts";
import { openProofWorktree } from "../workers/workers.ts";

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
  if (opened.kind === "broken") {
    const detail = `Setup failed on this tree: ${opened.result.detail}`;
    return { ...opened.result, status: "not_started", detail, fingerprints: [] };
  }
  const { context } = opened;
  const result = await runGate(gateDeps(context), gate);
  const { changes } = await seeChanges(context);
  const edited = changes.filter(({ kind }) => kind !== "added").map(({ path }) => path);
  if (edited.length === 0) return result;
  const detail = `The gate changed files it judges: ${edited.slice(0, 5).join(", ")}`;
  return { ...result, status: "not_started", detail, fingerprints: [] };
}
