import type { StepOf } from "../../core/decide/step.ts";
import { taskOf } from "../../core/state/session-state.ts";
import { record, type SessionContext } from "../loop/session-context.ts";
import { rememberFlaky } from "./flaky-ledger.ts";

/** Journals what the proof of a task's work says, and remembers the gates whose runs differed. */
export async function recordProof(
  session: SessionContext,
  { kind: _, ...judged }: StepOf<"judge-proof">,
): Promise<void> {
  await record(session, { type: "proof_judged", ...judged });
  if (!judged.findings.some(({ check }) => check === "flaky")) return;
  const { gateRuns = {} } = taskOf(session.journal.state, judged.task);
  const differing = Object.values(gateRuns).filter((runs) => runs.some(isGreen));
  const found = differing.flatMap((runs) =>
    runs.slice(0, 1).map(({ gate, fingerprints: failures }) => ({ gate, failures })),
  );
  const { store, system } = session;
  await rememberFlaky(store, found, { now: system.clock.now() });
}

const isGreen = ({ status }: { status: string }) => status === "passed";

/** Journals a question to the test writer, who is called next. */
export function askTests(
  session: SessionContext,
  { kind: _, ...asked }: StepOf<"ask-tests">,
): Promise<void> {
  return record(session, { type: "proof_asked", ...asked });
}
