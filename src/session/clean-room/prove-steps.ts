import {
  criteriaToProve,
  needsBaseline,
  type ProofStep,
  type ProvedCriterion,
  type ProvedGate,
  provedCriteria,
  provedGate,
} from "../../core/checks/prove.ts";
import type { GateRule } from "../../core/decide/policy.ts";
import { settleRuns } from "../../core/proof/tree-class.ts";
import type { FactOf } from "../../core/state/event.ts";
import { RalphError } from "../../error.ts";
import { runBaseline } from "../../gates/baseline.ts";
import { checkCriteria } from "../../gates/criteria.ts";
import { gateKeyOf, runGate } from "../../gates/gates.ts";
import { undoChanges } from "../loop/collect-changes.ts";
import { gateDeps } from "../loop/gate-deps.ts";
import { gateNamed } from "../loop/policy-of.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { measureGate } from "../steps/run-level-gate.ts";

export type OnProofStep = (step: ProofStep) => void;

/** Runs the setup steps up to the first that fails. None is skipped: an earlier run of it is not trusted. */
export async function proveSetup(
  session: SessionContext,
  notice: OnProofStep,
): Promise<ProvedGate[]> {
  const done: ProvedGate[] = [];
  for (const step of session.config.setup) {
    const { status, detail, ms, output, outputBytes } = await runGate(gateDeps(session), step);
    requireGoing(session);
    await undoChanges(session);
    const ok = status === "passed";
    const stored = await session.evidence.put(output, outputBytes);
    const about = { name: step.name, status, ok, ms: Math.round(ms), output: stored };
    const proved = ok ? about : { ...about, because: detail };
    done.push(proved);
    notice({ kind: "setup", ...proved });
    if (!ok) break;
  }
  return done;
}

/** Runs every full gate on a tree, also after a failure, so that the proof is complete. */
export async function proveGates(
  session: SessionContext,
  tree: string,
  notice: OnProofStep,
): Promise<ProvedGate[]> {
  const done: ProvedGate[] = [];
  for (const rule of session.policy.gates.full) {
    const proved = await proveGate(session, tree, rule);
    done.push(proved);
    notice({ kind: "gate", ...proved });
  }
  return done;
}

async function proveGate(
  session: SessionContext,
  tree: string,
  rule: GateRule,
): Promise<ProvedGate> {
  const { state } = session.journal;
  const about = { task: "", gate: rule.name, level: "full", tree } as const;
  const result = await measureGate(session, about);
  if (!result) throw cancelled();
  if (!needsBaseline(state, rule, { result })) return provedGate(state, rule, { result });
  const before = await measureStart(session, rule);
  const runs = [result];
  const isGreen = ({ status }: { status: string }) => status === "passed";
  while (rule.rerunsRed && isGreen(before) && settleRuns(runs.map(isGreen)) === "again") {
    const again = await measureGate(session, about);
    if (!again) throw cancelled();
    runs.push(again);
  }
  return provedGate(state, rule, { result: runs.at(-1) ?? result, before });
}

/** Measured here, because the journal's baseline comes from the machine the agents ran on. */
async function measureStart(
  session: SessionContext,
  { name }: GateRule,
): Promise<FactOf<"baseline_end">> {
  const gate = gateNamed(session.config, "full", name);
  const { tree } = session.journal.state.session.start;
  const { status, fingerprints, ms } = await runBaseline(gateDeps(session), { gate, tree });
  requireGoing(session);
  return {
    type: "baseline_end",
    gate: name,
    key: gateKeyOf(gate),
    tree,
    status,
    fingerprints,
    ms,
  };
}

/** Checks every checkable criterion of every task that passed in the session. */
export async function proveCriteria(
  session: SessionContext,
  tree: string,
  notice: OnProofStep,
): Promise<ProvedCriterion[]> {
  const { state } = session.journal;
  const done: ProvedCriterion[] = [];
  for (const { task, criteria, base } of criteriaToProve(state)) {
    const check = { criteria, tree, base };
    const results = await checkCriteria(gateDeps(session), check);
    requireGoing(session);
    await undoChanges(session);
    const proved = provedCriteria(task, results);
    done.push(...proved);
    for (const criterion of proved) notice({ kind: "criterion", ...criterion });
  }
  return done;
}

export function requireGoing({ cancel }: SessionContext): void {
  if (cancel.aborted) throw cancelled();
}

/** Neither proved nor refuted. */
export function cancelled(): RalphError {
  return new RalphError("cancelled", {
    message: "Cancelled: the head is neither proved nor refuted.",
    remedy: "Start the proof again; nothing was changed.",
  });
}
