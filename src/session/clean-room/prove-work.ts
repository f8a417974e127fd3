import { type ProvedWork, passedInSession } from "../../core/checks/prove.ts";
import { judgingGates, mayKeepBehaviour, taskWords } from "../../core/decide/proof-step.ts";
import { judgeProof } from "../../core/proof/judge-proof.ts";
import type { ProofGate } from "../../core/proof/question.ts";
import { isProofOn } from "../../core/proof/settings.ts";
import type { Halt, ProofVerdict } from "../../core/proof/verdict.ts";
import type { FactOf } from "../../core/state/event.ts";
import { proofChecks } from "../../core/state/proof-event.ts";
import { applyProof, noProof, type ProofState } from "../../core/state/proof-state.ts";
import type { TaskState } from "../../core/state/session-state.ts";
import { gateKeyOf } from "../../gates/gate-key.ts";
import { treeOf } from "../../git/trees/objects.ts";
import { gateNamed } from "../loop/policy-of.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { computePlan } from "../proof/plan-proof.ts";
import { measureProof } from "../proof/run-proof.ts";
import { cancelled, type OnProofStep } from "./prove-steps.ts";

/**
 * Proves the work of every task that passed, from git alone: trees, runs and verdicts of the journal do not count. What
 * the loop asked the test writer about is a finding here.
 */
export async function proveWork(
  session: SessionContext,
  notice: OnProofStep,
): Promise<ProvedWork[]> {
  const isOff = !isProofOn(session.policy.proof) || session.hasSubmodules;
  const passed = isOff ? [] : inOrder(passedInSession(session.journal.state));
  const earlier: ProofState[] = [];
  const done: ProvedWork[] = [];
  let before = new Map<string, ProofGate["after"]>();
  for (const each of passed) {
    const base_commit = `${each.commit}^`;
    const { merged: _, ...own } = each;
    const task = { ...own, base: await treeOf(session.repo, base_commit) };
    if (task.base === task.tree) continue;
    if (before.size === 0) before = await runAll(session, task, task.base);
    const after = await runAll(session, task, task.tree);
    const { proof, verdict } = await proveTask(session, {
      task,
      base_commit,
      earlier,
      before,
      after,
    });
    earlier.push(proof);
    before = after;
    const findings = verdict.kind === "judged" ? verdict.findings : [];
    const refusal = verdict.kind === "refused" && { refusal: verdict.feedback };
    const proved: ProvedWork = { task: task.task.id, findings, ...refusal };
    done.push(proved);
    notice({ kind: "work", ...proved });
  }
  return done;
}

/** Tasks in the order of their commits: in parallel sessions that of the journal's anchors. */
const inOrder = (tasks: readonly TaskState[]) =>
  tasks.toSorted(
    (a, b) => Number.parseInt(a.anchor ?? "0", 10) - Number.parseInt(b.anchor ?? "0", 10),
  );

/** Every fatal gate on a tree, by key. */
async function runAll(
  session: SessionContext,
  { task: { id: task } }: TaskState,
  tree: string,
): Promise<Map<string, ProofGate["after"]>> {
  const results = new Map<string, ProofGate["after"]>();
  for (const { name, key } of judgingGates(session.policy)) {
    results.set(key, await run(session, { task, gate: name, part: "tests", tree }));
  }
  return results;
}

async function run(
  session: SessionContext,
  step: Pick<FactOf<"proof_gate_end">, "task" | "gate" | "part" | "tree">,
): Promise<FactOf<"proof_gate_end">> {
  const measured = await measureProof(session, step);
  if (!measured) throw cancelled();
  return measured;
}

interface Work {
  task: TaskState;
  base_commit: string;
  earlier: readonly ProofState[];
  before: ReadonlyMap<string, ProofGate["after"]>;
  after: ReadonlyMap<string, ProofGate["after"]>;
}

type Proved = {
  proof: ProofState;
  verdict: Exclude<ProofVerdict, { kind: "plan" | "run" | "baseline" }>;
};

async function proveTask(session: SessionContext, work: Work): Promise<Proved> {
  const { config, policy, journal } = session;
  const { task, before, after } = work;
  const gates = policy.gates.full.flatMap(({ name }): ProofGate[] => {
    const key = gateKeyOf(gateNamed(config, "full", name));
    const [was, is] = [before.get(key), after.get(key)];
    return was && is ? [{ gate: name, key, before: was, after: is }] : [];
  });
  const question = {
    settings: policy.proof,
    gates,
    keepsBehaviour: mayKeepBehaviour(journal.state, task),
    words: taskWords(journal.state, task),
    hasTestWriter: task.task.requiresTests !== false,
    isMerged: false,
  };
  // Nobody can be asked here.
  let proof: ProofState = { ...noProof, asked: [...proofChecks] };
  while (true) {
    const verdict = judgeProof({ ...question, proof });
    if (!isOpen(verdict)) return { proof: settled(proof, { task, verdict }), verdict };
    proof = applyProof(proof, await answer(session, work, verdict));
  }
}

const isOpen = (
  verdict: ProofVerdict,
): verdict is Extract<Halt, { kind: "plan" | "run" | "baseline" }> =>
  verdict.kind === "plan" || verdict.kind === "run" || verdict.kind === "baseline";

function answer(
  session: SessionContext,
  { task, base_commit, earlier }: Work,
  verdict: Extract<Halt, { kind: "plan" | "run" | "baseline" }>,
): Promise<FactOf<"proof_planned" | "proof_gate_end">> {
  if (verdict.kind === "plan") return computePlan(session, { task, base_commit, earlier });
  if (verdict.kind === "run") return run(session, { ...verdict, task: task.task.id });
  throw new Error(`Gate ${verdict.gate} ran on the base of ${task.task.id}.`);
}

/** As the journal would hold it: what follows asks whether old tests held. */
function settled(
  proof: ProofState,
  { task, verdict }: { task: TaskState; verdict: ProofVerdict },
): ProofState {
  if (verdict.kind !== "judged") return proof;
  const { findings, figures } = verdict;
  const about = { task: task.task.id, tree: task.tree };
  return applyProof(proof, { type: "proof_judged", ...about, findings, figures });
}
