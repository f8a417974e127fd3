import type { StepOf } from "../../core/decide/step.ts";
import type { FactOf } from "../../core/state/event.ts";
import { gateKeyOf } from "../../gates/gate-key.ts";
import { runGate } from "../../gates/gates.ts";
import { undoChanges } from "../loop/collect-changes.ts";
import { gateDeps } from "../loop/gate-deps.ts";
import { gateNamed } from "../loop/policy-of.ts";
import { record, type SessionContext } from "../loop/session-context.ts";

/** Runs one gate on the tree to be committed and journals its result. */
export async function runLevelGate(
  session: SessionContext,
  step: StepOf<"run-gate">,
): Promise<void> {
  const { kind: _, ...about } = step;
  const result = await measureGate(session, about);
  if (result) await record(session, result);
}

/**
 * Runs one gate on the work tree, which holds `tree`, undoes its changes and keeps its output. Undefined when the user
 * cancelled in the meantime.
 */
export async function measureGate(
  session: SessionContext,
  about: Pick<FactOf<"gate_end">, "task" | "gate" | "level" | "tree">,
): Promise<FactOf<"gate_end"> | undefined> {
  const gate = gateNamed(session.config, about.level, about.gate);
  const result = await runGate(gateDeps(session), gate);
  if (session.cancel.aborted) return undefined;
  const leftovers = result.status === "skipped" ? [] : await undoChanges(session);
  const { status, detail, fingerprints, tests, ms } = result;
  return {
    type: "gate_end",
    task: about.task,
    gate: gate.name,
    key: gateKeyOf(gate),
    level: about.level,
    tree: about.tree,
    status,
    detail,
    fingerprints,
    ...(tests && { tests }),
    leftovers,
    ms,
    output: await session.evidence.put(result.output, result.outputBytes),
  };
}
