import type { StepOf } from "../../core/decide/step.ts";
import { record, type SessionContext } from "../loop/session-context.ts";

/** Journals what the proof of a task's work says. */
export function recordProof(
  session: SessionContext,
  { kind: _, ...judged }: StepOf<"judge-proof">,
): Promise<void> {
  return record(session, { type: "proof_judged", ...judged });
}

/** Journals a question to the test writer, who is called next. */
export function askTests(
  session: SessionContext,
  { kind: _, ...asked }: StepOf<"ask-tests">,
): Promise<void> {
  return record(session, { type: "proof_asked", ...asked });
}
