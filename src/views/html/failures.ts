import type { FactOf, RunEvent } from "../../core/state/event.ts";
import { cut, plainLine, plainText } from "../../text/plain-text.ts";

/** A failed iteration of a task, or a call whose program failed. */
export interface ShownFailure {
  iteration: number;
  /** `gate failed`, `review did not approve`, … */
  cause: string;
  message: string;
}

/** The failures of each task, in order. */
export function failuresByTask(events: readonly RunEvent[]): Map<string, ShownFailure[]> {
  const found = new Map<string, ShownFailure[]>();
  for (const event of events) {
    const failure = failureOf(event);
    if (!failure) continue;
    const [task, shown] = failure;
    const before = found.get(task);
    if (before) before.push(shown);
    else found.set(task, [shown]);
  }
  return found;
}

const causes: Record<FactOf<"iteration_failed">["because"], string> = {
  signal: "no valid signal",
  no_change: "nothing changed",
  guardrail: "protected files changed",
  subtasks: "subtasks left open",
  gate: "gate failed",
  criteria: "criteria failed",
  proof: "the proof of the work failed",
  review: "review did not approve",
  merge: "conflict with tasks that passed meanwhile",
};

function failureOf(event: RunEvent): [task: string, failure: ShownFailure] | undefined {
  if (event.type === "iteration_failed") {
    const { task, iteration, because, feedback } = event;
    return [task, { iteration, cause: causes[because], message: excerpt(feedback) }];
  }
  if (event.type !== "agent_end") return undefined;
  const { task, iteration, outcome } = event;
  if (outcome.kind !== "failed" && outcome.kind !== "limited") return undefined;
  const what = outcome.kind === "failed" ? "agent program failed" : "usage limit";
  return [task, { iteration, cause: what, message: excerpt(outcome.message) }];
}

/** `gate failed 3 times, review did not approve`. */
export function countFailures(failures: readonly ShownFailure[]): string {
  const counts = [...Map.groupBy(failures, ({ cause: what }) => what)].map(([what, { length }]) =>
    length === 1 ? what : `${what} ${length} times`,
  );
  return counts.join(", ");
}

const headLines = 4;
const tailLines = 19;
const maxLine = 300;
const maxLength = 2400;

/** The beginning names the failure, the end has its details; the middle is left out. Idempotent. */
export function excerpt(text: string): string {
  const lines = plainText(text.slice(0, 64_000)).trim().split("\n");
  const shown =
    lines.length > headLines + tailLines + 1
      ? [...lines.slice(0, headLines), "…", ...lines.slice(-tailLines)]
      : lines;
  return cut(shown.map((line) => cut(line, maxLine)).join("\n"), maxLength);
}

/** The first lines of its message, as one line. */
export const firstLineOf = ({ message }: ShownFailure, max: number): string =>
  plainLine(message.split("\n").slice(0, 3).join(" "), max);
