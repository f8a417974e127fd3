import { isHeard, refusalReason } from "../../core/state/steer.ts";
import type { SteeringCommand } from "../../core/state/steering-command.ts";
import { record, type SessionContext } from "./session-context.ts";

/** Journals the steering commands that are new to a session; one that cannot be followed becomes a warning. */
export async function steerSession(
  session: SessionContext,
  { orders = [], dropped = [] }: SteeringSource,
): Promise<void> {
  for (const given of orders) {
    const { state } = session.journal;
    const order = redacted(session, given);
    if (isHeard(state, order) || isNeedless(order, session)) continue;
    const refused = refusalReason(state, order);
    await record(session, { type: "steered", order, ...(refused !== undefined && { refused }) });
  }
  for (const message of dropped) {
    if (session.journal.state.warnings.includes(message)) continue;
    await record(session, { type: "warning", message });
  }
}

/** The entry point's steering commands, oldest first, and why others no longer apply. */
export interface SteeringSource {
  orders?: readonly SteeringCommand[] | undefined;
  dropped?: readonly string[] | undefined;
}

/** A budget command that repeats the budget in force: without an earlier one, the entry point's option applies. */
const isNeedless = ({ verb, comment }: SteeringCommand, { journal }: SessionContext) =>
  verb === "budget" && comment === undefined && journal.state.steering.budgetUsd === undefined;

/** The journal never holds a secret, even when a comment contains one. */
function redacted({ redact }: SessionContext, order: SteeringCommand): SteeringCommand {
  return order.verb === "hint" ? { ...order, text: redact(order.text) } : order;
}
