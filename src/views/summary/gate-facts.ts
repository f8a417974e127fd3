import { counted } from "../../text/figures.ts";
import type { Summary, TaskSummary } from "./summary.ts";
import { type GateSummary, isGreen } from "./summary-proof.ts";

/** Tasks, and what is true of their gates. */
export type GateFact = { tasks: readonly TaskSummary[]; text: string };

/** The gates that were red when their task passed, by what is known of them and of the start commit. */
export function redGateFacts({ tasks }: Pick<Summary, "tasks">): GateFact[] {
  return kinds.flatMap(({ isMeant, text }) => {
    const red = (task: TaskSummary) => task.gates.filter((gate) => !isGreen(gate) && isMeant(gate));
    const own = passedHere({ tasks }).filter((task) => red(task).length > 0);
    const count = own.flatMap(red).length;
    const said = [`${counted(count, "gate")} red`, text].filter(Boolean).join(", ");
    return count === 0 ? [] : [{ tasks: own, text: said }];
  });
}

const isRedAtStart = ({ baseline }: GateSummary) =>
  baseline !== null && !isGreen({ status: baseline });

const isKnown = ({ baseline }: GateSummary) => baseline !== null && baseline !== "skipped";

const kinds = [
  { isMeant: isRedAtStart, text: "on the start commit too" },
  {
    isMeant: (gate: GateSummary) => isKnown(gate) && !isRedAtStart(gate) && !isFatal(gate),
    text: "green on the start commit, not fatal",
  },
  { isMeant: (gate: GateSummary) => !isKnown(gate) && !isFatal(gate), text: "not fatal" },
  {
    isMeant: (gate: GateSummary) => !isRedAtStart(gate) && isFatal(gate),
    text: undefined,
  },
];

/** Tasks of this session that passed although no gate that could fail them ran on their work, by what is true of their gates. */
export function ungatedFacts({ tasks }: Pick<Summary, "tasks">): GateFact[] {
  const ran = ({ gates }: TaskSummary) => gates.filter(({ status }) => status !== "skipped");
  const passed = passedHere({ tasks });
  const facts = [
    { tasks: passed.filter((task) => ran(task).length === 0), text: "no gate ran" },
    {
      tasks: passed.filter((task) => ran(task).length > 0 && !ran(task).some(isFatal)),
      text: "no fatal gate ran",
    },
  ];
  return facts.filter((fact) => fact.tasks.length > 0);
}

const isFatal = ({ is_fatal }: GateSummary) => is_fatal;

/** `no gate ran`, `no fatal gate ran for T-002`; undefined where a fatal one ran for every pass. */
export function ungatedNote(summary: Pick<Summary, "tasks">): string | undefined {
  const facts = ungatedFacts(summary);
  const isAll = ({ tasks }: GateFact) => tasks.length === passedHere(summary).length;
  const notes = facts.map((fact) =>
    isAll(fact) ? fact.text : `${fact.text} for ${fact.tasks.map(({ id }) => id).join(", ")}`,
  );
  return notes.length === 0 ? undefined : notes.join(" and ");
}

const passedHere = ({ tasks }: Pick<Summary, "tasks">) =>
  tasks.filter(({ state, passed_before }) => state === "passed" && !passed_before);
