import type { StepOf } from "../../core/decide/step.ts";
import { record, type SessionContext, updateViews } from "../loop/session-context.ts";
import { verifyOnce } from "../verify/verify-once.ts";
import type { VerifyPlace } from "../verify/verify-place.ts";
import { openJudgingPlace } from "../workers/workers.ts";

/** Verifies the running program after the last task, out of reach of agents' processes; in place in the work tree as it is. */
export async function verifySession(session: SessionContext, { tree }: StepOf<"verify">) {
  const plan = session.policy.verify;
  if (!plan) throw new Error("Nothing is to be verified.");
  const elapsed = session.system.clock.monotonic();
  const place = plan.isInPlace
    ? ({ kind: "ready", context: session } as const)
    : await openJudgingPlace(session, tree);
  if (place.kind === "stopped") return;
  if (place.kind === "broken") {
    const { detail } = place.result;
    const ms = session.system.clock.monotonic() - elapsed;
    const end = { type: "verify_phase_end", phase: "services", tree, status: "failed" } as const;
    await record(session, { type: "verify_start", tree });
    return record(session, { ...end, detail: `a setup step failed: ${detail}`, ms });
  }
  const notice: VerifyPlace["notice"] = (fact) => record(session, fact);
  const { gateEnded = () => {} } = session.views;
  await verifyOnce({ ...place.context, tree, notice, gateEnded }, plan);
  await updateViews(session);
}
