import type { FactOf } from "../../core/state/event.ts";
import type { TaskState } from "../../core/state/session-state.ts";
import { plainLine } from "../../text/plain-text.ts";

/** The results of a task's criteria; `proved` were executed, `judged` were left to the reviewer. */
type CriteriaCount = { total: number; proved: number; judged: number; failed: number };

export function countCriteria({ criteria, isAlreadySatisfied }: TaskState): CriteriaCount {
  const results = criteria?.results ?? [];
  const count = (verdict: string) => results.filter((each) => each.verdict === verdict).length;
  // A criterion that held before the task proves something only where nothing had to change (design 4.4).
  const held = count("held");
  return {
    total: results.length,
    proved: count("proved") + (isAlreadySatisfied ? held : 0),
    judged: count("to_judge") + (isAlreadySatisfied ? 0 : held),
    failed: count("failed"),
  };
}

/** `criteria proved 2/3, 1 for the review`. */
export function renderCriteria(
  { total, proved, judged, failed }: CriteriaCount,
  judgedAs = "for the review",
): string {
  const notes = [
    `criteria proved ${proved}/${total}`,
    judged > 0 && `${judged} ${judgedAs}`,
    failed > 0 && `${failed} failed`,
  ];
  return notes.filter(Boolean).join(", ");
}

/** The results of the gates on the task's newest tree, each name once, in the order they ran. */
export function gateResults({ gates, tree }: TaskState): FactOf<"gate_end">[] {
  return latestRuns(Object.values(gates).filter((gate) => gate.tree === tree));
}

const latestRuns = (runs: readonly FactOf<"gate_end">[]) => [
  ...new Map(runs.map((run) => [run.gate, run])).values(),
];

/** `gates passed: test, lint; skipped: build`. */
export function renderGates(runs: readonly FactOf<"gate_end">[]): string {
  const results = latestRuns(runs);
  if (results.length === 0) return "no gates ran";
  const named = (word: string, isMeant: (gate: FactOf<"gate_end">) => boolean) => {
    const names = results.filter(isMeant).map(({ gate }) => plainLine(gate, 60));
    return names.length > 0 ? [`${word}: ${names.join(", ")}`] : [];
  };
  return `gates ${[
    ...named("passed", ({ status }) => status === "passed"),
    ...named("skipped", ({ status }) => status === "skipped"),
    ...named("red but accepted", ({ status }) => status !== "passed" && status !== "skipped"),
  ].join("; ")}`;
}

/** The proof of a pass on one line; the same in notes, progress log and reports. */
export function renderProofLine(task: TaskState): string {
  const kind = task.isAlreadySatisfied ? "Already satisfied" : "Proof";
  return `${kind}: ${renderCriteria(countCriteria(task))}; ${renderGates(gateResults(task))}.`;
}
