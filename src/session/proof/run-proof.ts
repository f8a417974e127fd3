import type { StepOf } from "../../core/decide/step.ts";
import type { FactOf } from "../../core/state/event.ts";
import { taskOf } from "../../core/state/session-state.ts";
import { type GateResult, gateKeyOf } from "../../gates/gates.ts";
import type { Gate } from "../../schema/config/gates.ts";
import { gateNamed } from "../loop/policy-of.ts";
import { record, type SessionContext } from "../loop/session-context.ts";
import { brokenSetup, openProofWorktree } from "../workers/workers.ts";
import { rememberFlaky } from "./flaky-ledger.ts";
import { judgeBuilt } from "./judge-gate.ts";

/** Runs one gate on a proof tree and journals what it says. */
export async function runProof(session: SessionContext, step: StepOf<"run-proof">): Promise<void> {
  const run = await measureProof(session, step);
  if (run) await record(session, run);
}

/** Runs one gate on a proof tree, in a work tree no agent can reach. Undefined when the user cancelled. */
export async function measureProof(
  session: SessionContext,
  { task, part, tree, gate: name }: Omit<StepOf<"run-proof">, "kind">,
): Promise<FactOf<"proof_gate_end"> | undefined> {
  const gate = gateNamed(session.config, "full", name);
  const result = await runInProofTree(session, gate, { task, tree });
  if (!result || session.cancel.aborted) return undefined;
  const { status, detail, fingerprints, tests, planted, isLoadError, ms } = result;
  return {
    type: "proof_gate_end",
    task,
    part,
    gate: gate.name,
    key: gateKeyOf(gate),
    tree,
    status,
    detail,
    fingerprints,
    ...(tests && { tests }),
    ...(planted && { planted }),
    is_load_error: isLoadError,
    ms,
    output: await session.evidence.put(result.output, result.outputBytes),
  };
}

/** Undefined when the user cancelled. A tree whose setup fails, or whose gate changes files, proves nothing. */
async function runInProofTree(
  session: SessionContext,
  gate: Gate,
  { task, tree }: { task: string; tree: string },
): Promise<GateResult | undefined> {
  const opened = await openProofWorktree(session, tree);
  if (opened.kind === "stopped") return undefined;
  if (opened.kind === "broken") return brokenSetup(opened.result);
  return judgeBuilt(opened.context, gate, task);
}

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
export function askTests(session: SessionContext, { kind: _, ...asked }: StepOf<"ask-tests">) {
  return record(session, { type: "proof_asked", ...asked });
}
