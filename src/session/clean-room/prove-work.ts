import { committedRepairs, type ProvedWork, passedInSession } from "../../core/checks/prove.ts";
import { judgingGates } from "../../core/decide/proof-step.ts";
import type { ProofGate } from "../../core/proof/question.ts";
import { isProofOn } from "../../core/proof/settings.ts";
import type { FactOf } from "../../core/state/event.ts";
import type { ProofState } from "../../core/state/proof-state.ts";
import type { TaskState } from "../../core/state/session-state.ts";
import { treeOf } from "../../git/trees/objects.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { type ProvedChange, proveChange, repairChange } from "../proof/prove-change.ts";
import { measureProof } from "../proof/run-proof.ts";
import { cancelled, type OnProofStep } from "./prove-steps.ts";

/**
 * Proves the work of every task that passed and every repair, from git alone: trees, runs and verdicts of the journal do
 * not count. What the loop asked the test writer about is a finding here.
 */
export async function proveWork(
  session: SessionContext,
  notice: OnProofStep,
): Promise<ProvedWork[]> {
  const isOff = !isProofOn(session.policy.proof) || session.hasSubmodules;
  const earlier: ProofState[] = [];
  const done: ProvedWork[] = [];
  let before = new Map<string, ProofGate["after"]>();
  for (const work of isOff ? [] : await worksOf(session)) {
    const { task, name, commit } = work;
    if (before.size === 0) before = await runAll(session, task, task.base);
    const after = await runAll(session, task, task.tree);
    const gates = gatesOf(session, before, after);
    const change = { task, base_commit: `${commit}^`, earlier, gates };
    const changed = await proveChange(work.session, change);
    if (!changed) throw cancelled();
    const { proof, verdict } = changed;
    earlier.push(proof);
    before = after;
    const proved = { task: name, ...resultOf(verdict) };
    done.push(proved);
    notice({ kind: "work", ...proved });
  }
  return done;
}

const resultOf = (verdict: ProvedChange["verdict"]): Omit<ProvedWork, "task"> => ({
  findings: verdict.kind === "judged" ? verdict.findings : [],
  ...(verdict.kind === "refused" && { refusal: verdict.feedback }),
});

/** One commit of the session, with the rules for its proof. */
type Work = { session: SessionContext; task: TaskState; name: string; commit: string };

/** Tasks in the order of their commits, in parallel sessions that of the journal's anchors; then repairs. */
async function worksOf(session: SessionContext): Promise<Work[]> {
  const { state } = session.journal;
  const works: Work[] = [];
  for (const each of inOrder(passedInSession(state))) {
    const { merged: _, commit = "", ...own } = each;
    const base = await treeOf(session.repo, `${commit}^`);
    works.push({ session, task: { ...own, commit, base }, name: each.task.id, commit });
  }
  for (const { commit, name } of committedRepairs(state)) {
    const base = await treeOf(session.repo, `${commit}^`);
    const trees = { base, tree: await treeOf(session.repo, commit) };
    works.push({ ...repairChange(session, trees), name, commit });
  }
  return works.filter(({ task: { base, tree } }) => base !== tree);
}

const inOrder = (tasks: readonly TaskState[]) =>
  tasks.toSorted(
    (a, b) => Number.parseInt(a.anchor ?? "0", 10) - Number.parseInt(b.anchor ?? "0", 10),
  );

type GateResults = ReadonlyMap<string, ProofGate["after"]>;

const gatesOf = (
  { policy }: SessionContext,
  before: GateResults,
  after: GateResults,
): ProofGate[] =>
  policy.gates.full.flatMap(({ name, key }) => {
    const [was, is] = [before.get(key), after.get(key)];
    return was && is ? [{ gate: name, key, before: was, after: is }] : [];
  });

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
