import { counted } from "../../text/figures.ts";
import type { Outcome } from "./outcome.ts";
import type { Summary, TaskSummary } from "./summary.ts";
import { type GateSummary, isGreen } from "./summary-proof.ts";

type Tasks = Pick<Summary, "tasks">;

type GateFact = { tasks: readonly TaskSummary[]; text: string };

/** The tasks that passed in this session. */
export const passedHere = ({ tasks }: Tasks): TaskSummary[] =>
  tasks.filter(({ state, passed_before }) => state === "passed" && !passed_before);

/** What a pass leaves unproved, one line each: criteria for the review alone, passes without gates, red gates. */
export function proofGaps(summary: Tasks): string[] {
  const passed = passedHere(summary);
  const judged = passed.filter(({ criteria_count }) => criteria_count.judged > 0);
  const count = judged.reduce((sum, { criteria_count }) => sum + criteria_count.judged, 0);
  const criteria = count === 1 ? "1 criterion was" : `${count} criteria were`;
  const review = `${criteria} left to the review and not proved by execution`;
  return [
    { tasks: judged, text: review },
    ...ungatedFacts(passed).map((fact) => ({ ...fact, text: `passed, and ${fact.text}` })),
    ...redGateFacts(passed),
  ].flatMap(({ tasks, text }) => (tasks.length > 0 ? `${rangesOf(tasks)}: ${text}` : []));
}

/** The gates that were red when their task passed, by their results on the start commit. */
function redGateFacts(passed: readonly TaskSummary[]): GateFact[] {
  return kinds.flatMap(({ isMeant, text }) => {
    const red = (task: TaskSummary) => task.gates.filter((gate) => !isGreen(gate) && isMeant(gate));
    const tasks = passed.filter((task) => red(task).length > 0);
    const count = counted(tasks.flatMap(red).length, "gate");
    return { tasks, text: [`${count} red`, text].filter(Boolean).join(", ") };
  });
}

const isRedAtStart = ({ baseline }: GateSummary) =>
  baseline !== null && !isGreen({ status: baseline });

const isKnown = ({ baseline }: GateSummary) => baseline !== null && baseline !== "skipped";

const isFatal = ({ is_fatal }: GateSummary) => is_fatal;

const kinds: readonly { isMeant: (gate: GateSummary) => boolean; text?: string }[] = [
  { isMeant: isRedAtStart, text: "on the start commit too" },
  {
    isMeant: (gate) => isKnown(gate) && !isRedAtStart(gate) && !isFatal(gate),
    text: "green on the start commit, not fatal",
  },
  { isMeant: (gate) => !isKnown(gate) && !isFatal(gate), text: "not fatal" },
  { isMeant: (gate) => !isRedAtStart(gate) && isFatal(gate) },
];

/** Tasks that passed although no gate that could fail them ran on their work. */
function ungatedFacts(passed: readonly TaskSummary[]): GateFact[] {
  const ran = ({ gates }: TaskSummary) => gates.filter(({ status }) => status !== "skipped");
  const facts = [
    { tasks: passed.filter((task) => ran(task).length === 0), text: "no gate ran" },
    {
      tasks: passed.filter((task) => ran(task).length > 0 && !ran(task).some(isFatal)),
      text: "no fatal gate ran",
    },
  ];
  return facts.filter(({ tasks }) => tasks.length > 0);
}

/** `no gate ran`, `no fatal gate ran for T-002`; undefined where a fatal one ran for every pass. */
export function ungatedNote(summary: Tasks): string | undefined {
  const passed = passedHere(summary);
  const notes = ungatedFacts(passed).map(({ tasks, text }) =>
    tasks.length === passed.length ? text : `${text} for ${tasks.map(({ id }) => id).join(", ")}`,
  );
  return notes.length === 0 ? undefined : notes.join(" and ");
}

/** The note within other text; empty where a fatal gate ran for every pass. */
export function ifUngated(summary: Tasks, say: (note: string) => string): string {
  const note = ungatedNote(summary);
  return note === undefined ? "" : say(note);
}

/** The outcome as it may be shown: only a session in which tasks passed, with gates that ran, is good. */
export function shownOutcome(summary: Summary): Outcome {
  const { status, tasks_completed, tasks_total } = summary;
  if (status !== "completed") return status;
  if (passedHere(summary).length === 0) return "nothing_to_do";
  const isWhole = tasks_completed === tasks_total && ungatedNote(summary) === undefined;
  return isWhole ? "completed" : "partial";
}

const maxRanges = 12;

/** `T-001 to T-004, T-007`: consecutive ids as ranges. Ids without a number are listed one by one. */
export function taskRanges(ids: readonly string[]): string {
  const runs: { first: string; last: string; count: number }[] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    if (run && follows(id, run.last)) Object.assign(run, { last: id, count: run.count + 1 });
    else runs.push({ first: id, last: id, count: 1 });
  }
  const parts = runs.map(({ first, last, count }) => {
    if (count === 1) return first;
    return count === 2 ? `${first}, ${last}` : `${first} to ${last}`;
  });
  const more = parts.length - maxRanges;
  return more > 0 ? `${parts.slice(0, maxRanges).join(", ")} and others` : parts.join(", ");
}

const numberOf = (id: string) => Number(/^T-(\d{1,9})$/.exec(id)?.[1] ?? Number.NaN);

const follows = (id: string, before: string) => numberOf(id) === numberOf(before) + 1;

export const rangesOf = (tasks: readonly TaskSummary[]) => taskRanges(tasks.map(({ id }) => id));
