import { runGate } from "../../verify/gates.ts";
import { gateDeps } from "../gate-deps.ts";
import { record, type Session } from "../session.ts";
import type { StepOf } from "../step-of.ts";
import { undoChanges } from "./settle-changes.ts";

/** Runs one `setup` step; what it changed in files git sees is undone, installed dependencies stay. */
export async function runSetupStep(session: Session, { name }: StepOf<"setup">): Promise<void> {
  const step = session.config.setup.find((candidate) => candidate.name === name);
  if (!step) throw new Error(`The configuration has no setup step ${name}.`);
  const { status, ms, output, outputBytes } = await runGate(gateDeps(session), step);
  if (session.cancel.aborted) return;
  await undoChanges(session);
  const stored = await session.evidence.put(output, outputBytes);
  await record(session, { type: "setup_end", name, status, ms, output: stored });
}
