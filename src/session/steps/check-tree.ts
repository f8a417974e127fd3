import { criteriaToProve } from "../../core/checks/prove.ts";
import { judgeGates, runsOn } from "../../core/decide/gates.ts";
import type { CriterionResult, FactOf } from "../../core/state/event.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { checkAside } from "./check-task-criteria.ts";
import { runBaselineGate } from "./run-baseline-gate.ts";
import { measureAside } from "./run-level-gate.ts";

const maxDetail = 2000;

/** The runs of the full gates on a tree, and what does not hold. Incomplete when the user cancelled. */
export type TreeGates = { runs: FactOf<"gate_end">[]; failures: string[] };

/** Runs the full gates on a tree of the session that belongs to no running task, by the rules of a pass. */
export async function checkGates(session: SessionContext, tree: string): Promise<TreeGates> {
  const { journal, policy } = session;
  const runs: FactOf<"gate_end">[] = [];
  while (!session.cancel.aborted) {
    const verdict = judgeGates(journal.state, policy.gates.full, runsOn(runs, tree));
    switch (verdict.kind) {
      case "passed":
        return { runs, failures: [] };
      case "baseline":
        await runBaselineGate(session, { kind: "run-baseline", gate: verdict.gate, level: "full" });
        break;
      case "run": {
        const about = { task: "", gate: verdict.gate, level: "full", tree } as const;
        const { result } = await measureAside(session, about);
        if (result) runs.push(result);
        break;
      }
      default: {
        const { detail } = verdict.kind === "failed" ? verdict.result : verdict;
        return { runs, failures: [`gate "${verdict.gate}" fails: ${detail.slice(0, maxDetail)}`] };
      }
    }
  }
  return { runs, failures: [] };
}

export type TreeCriteria = { task: string; results: CriterionResult[] }[];

/** Checks the criteria of every task that passed here on a tree; the reviewer's are not judged again. */
export async function checkCriteriaAgain(
  session: SessionContext,
  tree: string,
): Promise<TreeCriteria> {
  const done: TreeCriteria = [];
  for (const { task, criteria, base } of criteriaToProve(session.journal.state)) {
    const results = await checkAside(session, { criteria, tree, base });
    if (!results || session.cancel.aborted) return done;
    done.push({ task, results });
  }
  return done;
}
