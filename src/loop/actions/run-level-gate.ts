import { gateKeyOf } from "../../verify/gate-key.ts";
import { runGate } from "../../verify/gates.ts";
import { gateDeps } from "../gate-deps.ts";
import { gateNamed } from "../policy-of.ts";
import { record, type Session } from "../session.ts";
import type { StepOf } from "../step-of.ts";
import { undoChanges } from "./settle-changes.ts";

/** Runs one gate on the work tree, which holds the tree to be committed, and undoes what the gate changed. */
export async function runLevelGate(session: Session, step: StepOf<"run-gate">): Promise<void> {
  const { task, level, tree } = step;
  const gate = gateNamed(session.config, level, step.gate);
  const result = await runGate(gateDeps(session), gate);
  if (session.cancel.aborted) return;
  const leftovers = result.status === "skipped" ? [] : await undoChanges(session);
  const { status, detail, fingerprints, ms } = result;
  await record(session, {
    type: "gate_end",
    task,
    gate: gate.name,
    key: gateKeyOf(gate),
    level,
    tree,
    status,
    detail,
    fingerprints,
    leftovers,
    ms,
    output: await session.evidence.put(result.output, result.outputBytes),
  });
}
