import type { FactOf } from "../../core/state/event.ts";
import type { SteeringCommand } from "../../core/state/steering-command.ts";
import { renderCost } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";

/** Why a session waits. */
export const waitReasons = { limit: "the agent is rate limited", backoff: "the agent failed" };

/** A steering command on one line: `skip T-003 by ada`. */
export function describeSteering(command: SteeringCommand): string {
  return plainLine(describeVerb(command), 400);
}

function describeVerb(command: SteeringCommand): string {
  const { by } = command;
  switch (command.verb) {
    case "skip":
      return `skip ${command.task} by ${by}`;
    case "hint":
      return `hint by ${by}: ${command.text}`;
    case "budget":
      return `budget of ${renderCost(command.usd)} by ${by}`;
    case "retry":
      return command.task === undefined ? `retry by ${by}` : `retry ${command.task} by ${by}`;
  }
}

/** `answered (task-done)`, `answered (signal missing)`, `failed (agent: exit code 1)`. */
export function describeOutcome({
  outcome,
  signal,
}: Pick<FactOf<"agent_end">, "outcome" | "signal">): string {
  switch (outcome.kind) {
    case "answered":
      return `answered (${signal.kind === "valid" ? signal.name : `signal ${signal.kind}`})`;
    case "failed":
      return `failed (${outcome.class}: ${outcome.message})`;
    case "limited":
      return `limited (${outcome.message})`;
    case "cancelled":
      return "cancelled";
  }
}
