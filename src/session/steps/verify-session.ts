import type { StepOf } from "../../core/decide/step.ts";
import { record, type SessionContext, updateViews } from "../loop/session-context.ts";
import { openJudgingPlace } from "../proof/judging-place.ts";
import { verifyOnce } from "../verify/verify-once.ts";

/** After the last task: the program as it runs on the session's last commit, where no agent's process can reach it. */
export async function verifySession(
  session: SessionContext,
  { tree }: StepOf<"verify">,
): Promise<void> {
  const plan = session.policy.verify;
  if (!plan) throw new Error("Nothing is to be verified.");
  const elapsed = session.system.clock.monotonic();
  const place = await openJudgingPlace(session, tree);
  if (place.kind === "stopped") return;
  if (place.kind === "broken") {
    const { detail } = place.result;
    const ms = session.system.clock.monotonic() - elapsed;
    const end = { type: "verify_phase_end", phase: "services", tree, status: "failed" } as const;
    return record(session, { ...end, detail: `a setup step failed: ${detail}`, ms });
  }
  await verifyOnce(
    {
      ...place.context,
      tree,
      notice: (fact) => record(session, fact),
      gateEnded: () => {},
    },
    plan,
  );
  await updateViews(session);
}
