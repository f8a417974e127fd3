import { counted } from "../../text/figures.ts";
import type { Summary, TaskSummary } from "./summary.ts";
import { type GateSummary, isGreen } from "./summary-proof.ts";

/** Tasks, and what is true of their gates. */
export type GateFact = { tasks: readonly TaskSummary[]; text: string };

/**
 * The gates that were red when their task passed, by what is known of the start commit. A fatal gate that is red stops a
 * pass unless it was red there too, so any other one is not fatal.
 */
export function redGateFacts({ tasks }: Pick<Summary, "tasks">): GateFact[] {
  return kinds.flatMap(({ isMeant, text }) => {
    const red = (task: TaskSummary) => task.gates.filter((gate) => !isGreen(gate) && isMeant(gate));
    const own = passedHere({ tasks }).filter((task) => red(task).length > 0);
    const count = own.flatMap(red).length;
    return count === 0 ? [] : [{ tasks: own, text: `${counted(count, "gate")} red, ${text}` }];
  });
}

const isRedAtStart = ({ baseline }: GateSummary) =>
  baseline !== null && !isGreen({ status: baseline });

const kinds = [
  { isMeant: isRedAtStart, text: "on the start commit too" },
  {
    isMeant: (gate: GateSummary) => gate.baseline !== null && !isRedAtStart(gate),
    text: "green on the start commit, not fatal",
  },
  { isMeant: ({ baseline }: GateSummary) => baseline === null, text: "not fatal" },
];

/** Tasks of this session that passed although no gate ran on their work: all were skipped, or there was none. */
export const passedWithoutGate = ({ tasks }: Pick<Summary, "tasks">): TaskSummary[] =>
  passedHere({ tasks }).filter(({ gates }) => gates.every(({ status }) => status === "skipped"));

/** `no gate ran`, `no gate ran for T-002`; undefined where one ran for every pass. */
export function noGateNote(summary: Pick<Summary, "tasks">): string | undefined {
  const without = passedWithoutGate(summary);
  if (without.length === 0) return undefined;
  const isAll = without.length === passedHere(summary).length;
  return isAll ? "no gate ran" : `no gate ran for ${without.map(({ id }) => id).join(", ")}`;
}

const passedHere = ({ tasks }: Pick<Summary, "tasks">) =>
  tasks.filter(({ state, passed_before }) => state === "passed" && !passed_before);
