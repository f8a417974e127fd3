import { freshFailures, judgeGates } from "../decide/gates.ts";
import type { GateRule } from "../decide/policy.ts";
import { criteriaOf } from "../decide/task-step.ts";
import type { CriterionResult, EvidenceRef, FactOf, gateStatuses } from "../state/event.ts";
import { gateKey, type SessionState, type TaskState } from "../state/session-state.ts";

/** What one command, or one look at a file, says about the head. */
interface Proved {
  ok: boolean;
  /** Why it does not hold; or why it counts although it is not simply green. */
  because?: string;
  /** What it printed; kept by whoever asked for the proof. */
  output?: EvidenceRef;
}

/** A setup step or a full gate. */
export interface ProvedGate extends Proved {
  name: string;
  status: (typeof gateStatuses)[number];
  ms: number;
}

export interface ProvedCriterion extends Proved {
  /** The task, or the independent subtask, whose criterion it is. */
  task: string;
  /** Its place among them, from 1, as in the journal. */
  index: number;
  text: string;
}

/** One result as it comes in, for whoever watches; `merged`: on the merge with the base branch. */
export type ProofStep = { merged?: true } & (
  | ({ kind: "setup" | "gate" } & ProvedGate)
  | ({ kind: "criterion" } & ProvedCriterion)
);

/**
 * The head as a merge into the base branch would make it. `current`: the base branch has nothing the head lacks.
 * `unknown`: git could not tell. It never refutes the head: what has moved is somebody else's work.
 */
export interface BaseProof {
  kind: "current" | "green" | "red" | "conflict" | "unknown";
  branch: string;
  /** Where the base branch stood. */
  commit: string;
  /** Paths both sides changed in ways that do not go together. */
  conflicts: readonly string[];
  setup: readonly ProvedGate[];
  gates: readonly ProvedGate[];
  criteria: readonly ProvedCriterion[];
}

/** Whether a session's head holds where no agent has ever been (design 5, clean room). Plain data. */
export interface HeadProof {
  kind: "proved" | "refuted";
  sessionId: string;
  /** Configuration and gates are from this commit. */
  start: string;
  head: string;
  headTree: string;
  /** `seq:hash` of the journal's last line. */
  journal: string;
  /** Without it the head's own commands could have written anywhere. */
  sandbox: "bubblewrap" | "off";
  setup: readonly ProvedGate[];
  gates: readonly ProvedGate[];
  criteria: readonly ProvedCriterion[];
  /** Everything that refutes beside gates and criteria: the audit's findings, a setup step that failed. */
  problems: readonly string[];
  /** Absent where the head does not hold, and where the base branch is not known. */
  base?: BaseProof;
}

/** The verdict. Never green for nothing: something must have been looked at, and all of it must hold. */
export function concluded(proof: Omit<HeadProof, "kind">): HeadProof {
  const { gates, criteria, problems } = proof;
  const isEmpty = criteria.length === 0 && gates.every(({ status }) => status === "skipped");
  if (isEmpty && problems.length === 0) {
    const problem = "no gate ran and no criterion could be checked, so nothing is proved";
    return { ...proof, kind: "refuted", problems: [problem] };
  }
  const holds = problems.length === 0 && [...gates, ...criteria].every(({ ok }) => ok);
  return { ...proof, kind: holds ? "proved" : "refuted" };
}

/** Tasks whose work is in the head and was done by this session. */
export function passedInSession({ tasks }: SessionState): TaskState[] {
  return tasks.filter(
    ({ state, passedBefore, commit }) =>
      state === "passed" && !passedBefore && commit !== undefined,
  );
}

type CriteriaOfUnit = { task: string; criteria: readonly string[]; base: string };

/** The criteria that must hold on the head: of every task that passed here, and of its independent subtasks. */
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

/** What could be checked; the rest was the reviewer's. */
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

/** Results of one gate: on the head, and on the start commit once that was asked for. */
export type GateResults = {
  result: FactOf<"gate_end">;
  before?: FactOf<"baseline_end"> | undefined;
};

/** Whether the start commit has to tell if a red gate was red before; baselines of the journal do not count. */
export const needsBaseline = (state: SessionState, rule: GateRule, { result }: GateResults) =>
  judge(state, rule, { result }).kind === "baseline";

/** The loop's own rules for one gate: only failures the start commit does not have count against the head. */
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
  return judgeGates(known, [{ key, ...rule }], { gates, tree: result.tree });
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
