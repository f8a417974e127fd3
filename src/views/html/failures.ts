import type { FactOf, RunEvent } from "../../core/state/event.ts";
import { cut, plainLine, plainText } from "../../text/plain-text.ts";

/** A failed iteration of a task, or a call whose program failed. */
export interface ShownFailure {
  task: string;
  iteration: number;
  /** `gate failed`, `review did not approve`, … */
  cause: string;
  message: string;
}

/** The failures of each task, in order. */
export const failuresByTask = (events: readonly RunEvent[]): Map<string, ShownFailure[]> =>
  Map.groupBy(events.flatMap(failureOf), ({ task }) => task);

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

function failureOf(event: RunEvent): ShownFailure[] {
  if (event.type === "iteration_failed") {
    const { task, iteration, because, feedback } = event;
    return [{ task, iteration, cause: causes[because], message: excerpt(feedback) }];
  }
  if (event.type !== "agent_end") return [];
  const { task, iteration, outcome } = event;
  if (outcome.kind !== "failed" && outcome.kind !== "limited") return [];
  const cause = outcome.kind === "failed" ? "agent program failed" : "usage limit";
  return [{ task, iteration, cause, message: excerpt(outcome.message) }];
}

/** `gate failed 3 times, review did not approve`. */
export const countFailures = (failures: readonly Pick<ShownFailure, "cause">[]): string =>
  [...Map.groupBy(failures, ({ cause }) => cause)]
    .map(([cause, { length }]) => (length === 1 ? cause : `${cause} ${length} times`))
    .join(", ");

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
