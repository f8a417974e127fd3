import type { FactOf, RunEvent } from "../../core/state/event.ts";
import { cut, plainLine, plainText } from "../../text/plain-text.ts";

/** An iteration of a task that came to nothing, or a call whose program failed. */
export interface ShownFailure {
  iteration: number;
  /** `gate`, `review`, …: in words. */
  cause: string;
  /** What the next agent was told; several lines. */
  message: string;
}

/** What went wrong on the way, by task, in the order it happened. */
export function failuresByTask(events: readonly RunEvent[]): Map<string, ShownFailure[]> {
  const found = new Map<string, ShownFailure[]>();
  for (const event of events) {
    const failure = failureOf(event);
    if (!failure) continue;
    const [task, told] = failure;
    const before = found.get(task);
    if (before) before.push(told);
    else found.set(task, [told]);
  }
  return found;
}

const causes: Record<FactOf<"iteration_failed">["because"], string> = {
  signal: "no valid signal",
  no_change: "nothing changed",
  guardrail: "files changed that must not",
  subtasks: "subtasks left open",
  gate: "gate failed",
  criteria: "criteria do not hold",
  review: "review did not approve",
  merge: "conflict with what passed meanwhile",
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
const maxWords = 2400;

/** The beginning says what failed, the end how; what lies between is left out. Twice changes nothing. */
export function excerpt(text: string): string {
  const lines = plainText(text.slice(0, 64_000)).trim().split("\n");
  const shown =
    lines.length > headLines + tailLines + 1
      ? [...lines.slice(0, headLines), "…", ...lines.slice(-tailLines)]
      : lines;
  return cut(shown.map((line) => cut(line, maxLine)).join("\n"), maxWords);
}

/** Its first line that says something. */
export const firstLineOf = ({ message: words }: ShownFailure, max: number): string =>
  plainLine(words.split("\n").slice(0, 3).join(" "), max);
