import type { FactOf } from "../../core/state/event.ts";
import type { SteeringCommand } from "../../core/state/steering-command.ts";
import { renderCost } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";

/** What somebody has said on the way, on one line: `skip T-003 by ada`. */
export function describeSteering(order: SteeringCommand): string {
  return plainLine(`${whatOf(order)} by ${order.by}${textOf(order)}`, 400);
}

function whatOf(order: SteeringCommand): string {
  switch (order.verb) {
    case "skip":
      return `skip ${order.task}`;
    case "hint":
      return "hint";
    case "budget":
      return `budget of ${renderCost(order.usd)}`;
    case "retry":
      return order.task === undefined ? "retry" : `retry ${order.task}`;
  }
}

const textOf = (order: SteeringCommand) => (order.verb === "hint" ? `: ${order.text}` : "");

/** `answered (task-done)`, `answered (signal missing)`, `failed (agent: exit code 1)`. */
export function describeOutcome({ outcome, signal }: FactOf<"agent_end">): string {
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
