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
