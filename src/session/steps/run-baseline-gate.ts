import type { StepOf } from "../../core/decide/step.ts";
import { runBaseline } from "../../gates/baseline.ts";
import { type GateResult, gateKeyOf } from "../../gates/gates.ts";
import type { Gate } from "../../schema/config/gates.ts";
import { gateDeps } from "../loop/gate-deps.ts";
import { gateNamed } from "../loop/policy-of.ts";
import { record, type SessionContext } from "../loop/session-context.ts";
import { judgeBuilt } from "../proof/judge-gate.ts";
import { brokenSetup, openJudgingPlace } from "../workers/workers.ts";

/** Runs a gate on the start tree: before the first task, or once it has turned red, to see whether it was red before (design 4.3). */
export async function runBaselineGate(
  session: SessionContext,
  step: StepOf<"run-baseline"> | StepOf<"check-start">,
): Promise<void> {
  const gate = gateNamed(session.config, step.level, step.gate);
  const { tree } = session.journal.state.session.start;
  const result = await measureStart(session, { gate, tree });
  if (session.cancel.aborted || !result) return;
  const { status, detail, fingerprints, tests, ms } = result;
  await record(session, {
    type: "baseline_end",
    gate: gate.name,
    key: gateKeyOf(gate),
    tree,
    status,
    ...(detail && { detail }),
    ...(tests && { tests }),
    fingerprints,
    ms,
    output: await session.evidence.put(result.output, result.outputBytes),
  });
}

/** In the same place as the gates of the work, so that both judge alike; undefined when the user cancelled. */
async function measureStart(
  session: SessionContext,
  { gate, tree }: { gate: Gate; tree: string },
): Promise<GateResult | undefined> {
  const place = await openJudgingPlace(session, tree);
  if (place.kind === "stopped") return undefined;
  if (place.kind === "broken") return brokenSetup(place.result);
  const { context } = place;
  const isElsewhere = session.journal.state.tasks.some(({ startedAt }) => startedAt !== undefined);
  if (context === session && isElsewhere) return runBaseline(gateDeps(session), { gate, tree });
  return judgeBuilt(context, gate, "");
}
