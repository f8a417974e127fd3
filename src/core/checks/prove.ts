import { freshFailures, judgeGates } from "../decide/gates.ts";
import type { GateRule } from "../decide/policy.ts";
import { criteriaOf } from "../decide/task-step.ts";
import type { CriterionResult, FactOf } from "../state/event.ts";
import type { EvidenceRef, gateStatuses } from "../state/measurement.ts";
import type { ProofFinding } from "../state/proof-event.ts";
import { gateKey, type SessionState, type TaskState } from "../state/session-state.ts";
import type { ProvedPart, ProvedProgram } from "./proved-program.ts";

/** The result of one command or file check on the head. */
interface Proved {
  ok: boolean;
  /** Why it does not hold, or why it counts although it is not green. */
  because?: string;
  /** Its output, kept by the caller of the proof. */
  output?: EvidenceRef;
}

/** A setup step or a full gate. */
export interface ProvedGate extends Proved {
  name: string;
  status: (typeof gateStatuses)[number];
  ms: number;
}

export interface ProvedCriterion extends Proved {
  /** The task or independent subtask that the criterion belongs to. */
  task: string;
  /** Its number within the task, from 1, as in the journal. */
  index: number;
  text: string;
}

/** The proof of one task's work, or of a repair; a refusal is also among the problems of the head. */
export interface ProvedWork {
  task: string;
  findings: readonly ProofFinding[];
  refusal?: string;
}

/** One result of a running proof; `merged`: on the merge with the base branch. */
export type ProofStep = { merged?: true } & (
  | ({ kind: "setup" | "gate" } & ProvedGate)
  | ({ kind: "criterion" } & ProvedCriterion)
  | ({ kind: "program" } & ProvedPart)
  | ({ kind: "work" } & ProvedWork)
);

/** The head merged into the base branch. It never refutes the head, because that branch moved through other people's work. */
export interface BaseProof {
  kind: "current" | "green" | "red" | "conflict" | "unknown";
  branch: string;
  /** The commit of the base branch. */
  commit: string;
  /** Paths with conflicting changes on both sides. */
  conflicts: readonly string[];
  setup: readonly ProvedGate[];
  gates: readonly ProvedGate[];
  criteria: readonly ProvedCriterion[];
  program?: ProvedProgram;
}

/** Whether a session's head holds in a clone that no agent has touched (design 5, clean room). Plain data. */
export interface HeadProof {
  kind: "proved" | "refuted";
  sessionId: string;
  /** Configuration and gates are from this commit. */
  start: string;
  head: string;
  headTree: string;
  /** `seq:hash` of the journal's last line. */
  journal: string;
  /** With `off`, the head's own commands could have written anywhere. */
  sandbox: "bubblewrap" | "off";
  setup: readonly ProvedGate[];
  gates: readonly ProvedGate[];
  criteria: readonly ProvedCriterion[];
  /** The program as it runs; absent where no tests of the user interface are enabled, and when gates or criteria are red. */
  program?: ProvedProgram;
  /** The proof of each task's work, computed from git alone; absent where the settings ask for none. */
  work?: readonly ProvedWork[];
  /** Everything else that refutes the head: the audit's findings, a failed setup step. */
  problems: readonly string[];
  /** Absent when the head does not hold, and when the base branch is unknown. */
  base?: BaseProof;
}

/** The verdict. Never green for nothing: something must have been checked, and all of it must hold. */
export function concluded(proof: Omit<HeadProof, "kind">): HeadProof {
  const { gates, criteria, problems, program } = proof;
  const isSkipped = gates.every(({ status }) => status === "skipped");
  if (isSkipped && (gates.length > 0 || criteria.length === 0) && problems.length === 0) {
    const problem = "no gate ran, so nothing is proved";
    return { ...proof, kind: "refuted", problems: [problem] };
  }
  const results = [...gates, ...criteria, ...(program?.parts ?? [])];
  const holds = problems.length === 0 && results.every(({ ok }) => ok);
  return { ...proof, kind: holds ? "proved" : "refuted" };
}

/** Tasks that passed in this session, so their work is in the head. */
export function passedInSession({ tasks }: SessionState): TaskState[] {
  return tasks.filter(
    ({ state, passedBefore, commit }) =>
      state === "passed" && !passedBefore && commit !== undefined,
  );
}

/** Repairs whose commits are in the head, with their names in messages. */
export function committedRepairs({ repairs }: SessionState): { commit: string; name: string }[] {
  return (repairs?.ended ?? []).flatMap(({ commit }, index) =>
    commit === undefined ? [] : [{ commit, name: `repair ${index + 1}` }],
  );
}

type CriteriaOfUnit = { task: string; criteria: readonly string[]; base: string };

/** The criteria that must hold on the head: those of every task that passed here, and of its independent subtasks. */
export function criteriaToProve(state: SessionState): CriteriaOfUnit[] {
  return passedInSession(state).flatMap((task) => {
    const { base, subtasksDone } = task;
    const units = (task.task.subtasks ?? []).filter(
      ({ id, independent }) => independent && subtasksDone.includes(id),
    );
    return [
      { task: task.task.id, criteria: criteriaOf(task), base },
      ...units.map(({ id, acceptanceCriteria }) => ({
        task: id,
        criteria: acceptanceCriteria,
        base,
      })),
    ];
  });
}

/** The results of checkable criteria; the reviewer judged the others. */
export function provedCriteria(
  task: string,
  results: readonly CriterionResult[],
): ProvedCriterion[] {
  return results
    .filter(({ verdict }) => verdict !== "to_judge")
    .map(({ number, text, verdict, detail, evidence }) => ({
      task,
      index: number,
      text,
      ok: verdict !== "failed",
      ...(verdict === "failed" && { because: detail }),
      ...(evidence && { output: evidence }),
    }));
}

/** Results of one gate: on the head, and on the start commit if that was measured. */
export type GateResults = {
  result: FactOf<"gate_end">;
  before?: FactOf<"baseline_end"> | undefined;
};

/** Whether a red gate must be measured on the start commit too; baselines of the journal do not count. */
export const needsBaseline = (state: SessionState, rule: GateRule, { result }: GateResults) =>
  judge(state, rule, { result }).kind === "baseline";

/** The loop's rules for one gate: only failures that the start commit does not have count against the head. */
export function provedGate(state: SessionState, rule: GateRule, results: GateResults): ProvedGate {
  const { status, ms, output } = results.result;
  const verdict = judge(state, rule, results);
  const because = verdict.kind === "passed" ? acceptance(rule, results) : refusal(results);
  return {
    name: rule.name,
    status,
    ok: verdict.kind === "passed",
    ms: Math.round(ms),
    ...(because && { because }),
    ...(output && { output }),
  };
}

function judge(state: SessionState, { key, ...rule }: GateRule, { result, before }: GateResults) {
  const known = { ...state, baselines: before ? { [key]: before } : {} };
  const gates = { [gateKey(key, result.tree)]: result };
  return judgeGates(known, [{ key, ...rule, rerunsRed: false }], { gates, tree: result.tree });
}

function acceptance({ fatal }: GateRule, { result }: GateResults): string | undefined {
  if (result.status === "passed") return undefined;
  if (result.status === "skipped") return result.detail;
  return fatal ? "fails as it did on the start commit" : "fails, and only warns (`fatal: false`)";
}

function refusal({ result, before }: GateResults): string {
  const { detail, status } = result;
  const fresh = (before && freshFailures(result, before)) ?? [];
  if (fresh.length > 0) return `new failures: ${fresh.join("; ")}\n${detail}`;
  if (before?.status === "passed" || before?.status === "skipped") return detail || status;
  return `fails on the start commit too, and names no failure to compare\n${detail}`;
}
