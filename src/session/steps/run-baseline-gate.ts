import type { StepOf } from "../../core/decide/step.ts";
import { runBaseline } from "../../gates/baseline.ts";
import { gateKeyOf } from "../../gates/gate-key.ts";
import { gateDeps } from "../loop/gate-deps.ts";
import { gateNamed } from "../loop/policy-of.ts";
import { record, type SessionContext } from "../loop/session-context.ts";

/** Runs a gate that turned red on the start tree, in a temporary checkout, to see whether it was red before (design 4.3). */
export async function runBaselineGate(
  session: SessionContext,
  step: StepOf<"run-baseline">,
): Promise<void> {
  const gate = gateNamed(session.config, step.level, step.gate);
  const { tree } = session.journal.state.session.start;
  const result = await runBaseline(gateDeps(session), { gate, tree });
  if (session.cancel.aborted) return;
  const { status, fingerprints, tests, ms } = result;
  await record(session, {
    type: "baseline_end",
    gate: gate.name,
    key: gateKeyOf(gate),
    tree,
    status,
    ...(tests && { tests }),
    fingerprints,
    ms,
    output: await session.evidence.put(result.output, result.outputBytes),
  });
}
