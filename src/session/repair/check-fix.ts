import { gateBefore, judgingGates } from "../../core/decide/proof-step.ts";
import type { StepOf } from "../../core/decide/step.ts";
import type { ProofGate } from "../../core/proof/question.ts";
import { isProofOn } from "../../core/proof/settings.ts";
import type { FactOf } from "../../core/state/event.ts";
import type { ProofFinding } from "../../core/state/proof-event.ts";
import { diffTrees } from "../../git/trees/diff-trees.ts";
import { resetTo } from "../../git/worktree/reset.ts";
import { record, type SessionContext, updateViews } from "../loop/session-context.ts";
import { proveChange, repairChange } from "../proof/prove-change.ts";
import { checkCriteriaAgain, checkGates, type TreeCriteria } from "../steps/check-tree.ts";
import { runBaselineGate } from "../steps/run-baseline-gate.ts";
import { openRepair } from "./call-fixer.ts";

/** Checks all that held again on a repair's tree: full gates, criteria of passed tasks, and the change by the rules of a task. */
export async function checkFix(session: SessionContext, { tree }: StepOf<"check-fix">) {
  const gates = await checkGates(session, tree);
  const isRed = gates.failures.length > 0;
  const criteria = isRed ? [] : await checkCriteriaAgain(session, tree);
  const unmet = failedAmong(criteria);
  const isBroken = isRed || unmet.length > 0;
  const proof = isBroken ? noProof : await proveRepair(session, gates.runs);
  if (session.cancel.aborted || !proof) return;
  await record(session, {
    type: "fix_checked",
    tree,
    gates: gates.runs,
    criteria: criteria.map((each) => ({ type: "criteria_end", tree, ...each })),
    findings: proof.findings,
    failures: [...gates.failures, ...unmet, ...proof.refusals],
  });
  await updateViews(session);
}

const failedAmong = (criteria: TreeCriteria) =>
  criteria.flatMap(({ task, results }) =>
    results
      .filter(({ verdict }) => verdict === "failed")
      .map(({ text, detail }) => `${task}: ${text}: ${detail}`),
  );

type Proof = { findings: ProofFinding[]; refusals: string[] };
const noProof: Proof = { findings: [], refusals: [] };

/** Undefined when the user cancelled. */
async function proveRepair(
  session: SessionContext,
  runs: readonly FactOf<"gate_end">[],
): Promise<Proof | undefined> {
  if (!isProofOn(session.policy.proof)) return noProof;
  const { state } = session.journal;
  const { base, tree } = openRepair(state);
  const gates = await comparedGates(session, runs);
  const earlier = state.tasks.flatMap(({ proof }) => proof ?? []);
  const change = repairChange(session, { base, tree });
  const proved = await proveChange(change.session, {
    ...{ task: change.task, base_commit: state.head, earlier, gates },
  });
  if (!proved) return undefined;
  const { verdict } = proved;
  return verdict.kind === "judged"
    ? { findings: verdict.findings, refusals: [] }
    : { findings: [], refusals: [verdict.feedback] };
}

/** The last run of each fatal gate, with what it said before the repair. */
async function comparedGates(
  session: SessionContext,
  runs: readonly FactOf<"gate_end">[],
): Promise<ProofGate[]> {
  const compared: ProofGate[] = [];
  for (const { name: gate, key } of judgingGates(session.policy)) {
    const after = runs.findLast((run) => run.key === key);
    if (!after) continue;
    if (!gateBefore(session.journal.state, key).before)
      await runBaselineGate(session, { kind: "run-baseline", gate, level: "full" });
    compared.push({ gate, key, after, ...gateBefore(session.journal.state, key) });
  }
  return compared;
}

/** A repair begins. */
export function startFix(session: SessionContext, { kind: _, ...about }: StepOf<"start-fix">) {
  const { headTree: tree } = session.journal.state;
  return record(session, { type: "fix_start", ...about, tree });
}

/** A repair has ended: what broke something is taken back; a kept one is decided by one flushed line, like a pass. */
export async function endFix(session: SessionContext, { outcome, detail }: StepOf<"end-fix">) {
  const { journal, repo, policy, evidence } = session;
  const { phase, iteration, base, tree } = openRepair(journal.state);
  if (outcome === "broke") await resetTo(repo, base);
  const isKept = outcome === "kept";
  const { files } = await diffTrees(repo, { from: base, to: tree });
  await evidence.settle();
  const committedOn = isKept && !policy.verify?.isInPlace && { parent: journal.state.head };
  const end = { type: "fix_end", phase, iteration, tree, outcome, detail, files } as const;
  await record(session, { ...end, ...committedOn }, { durable: true });
}
