import { judgeGates, runsOn } from "../decide/gates.ts";
import type { GateRule } from "../decide/policy.ts";
import type { FactOf } from "../state/event.ts";
import type { SessionState } from "../state/session-state.ts";
import { lackingCriteria, when } from "./audit-pass.ts";
import { criteriaToProve } from "./prove.ts";

/** Lists what a kept repair lacks, from the state right before its end: everything checkable must have been checked on its tree. */
export function auditRepair(
  before: SessionState,
  { tree, parent }: FactOf<"fix_end">,
  rules: readonly GateRule[],
): string[] {
  const open = before.repairs?.open;
  if (!open) return ["it has not begun"];
  const { checked } = open;
  return [
    ...when(tree !== open.tree, "the tree that is kept is not the one its agents left"),
    ...when(parent !== before.head, "its parent is not the commit the session was at"),
    ...when(!("fix" in open.answers), "no fixer has answered"),
    ...(checked?.tree === tree
      ? [
          ...checked.failures.map((failure) => `its check says: ${failure}`),
          ...auditGates(before, checked, rules),
          ...auditCriteria(before, checked),
        ]
      : ["nothing was checked on its tree"]),
  ];
}

type Checked = FactOf<"fix_checked">;

function auditGates(
  state: SessionState,
  { tree, gates: runs }: Checked,
  rules: readonly GateRule[],
): string[] {
  const verdict = judgeGates(state, rules, runsOn(runs, tree));
  return verdict.kind === "passed" ? [] : [`gate "${verdict.gate}" was not green on its tree`];
}

/** A criterion of a passed task that can be checked must hold; the reviewer's are not judged again. */
function auditCriteria(state: SessionState, { tree, criteria: ends }: Checked): string[] {
  return criteriaToProve(state).flatMap(({ task, criteria }) => {
    const { results = [] } = ends.find((each) => each.task === task && each.tree === tree) ?? {};
    return lackingCriteria(state.session, criteria, { results, isSatisfied: false }).map(
      ({ number, lack }) => `criterion ${number} of ${task} ${lack}`,
    );
  });
}
