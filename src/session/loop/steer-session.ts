import { isHeard, refusalReason } from "../../core/state/steer.ts";
import type { SteeringCommand } from "../../core/state/steering-command.ts";
import { record, type SessionContext } from "./session-context.ts";

/** Journals the orders of people that are new to a session; one that cannot be followed is a warning of its summary. */
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

/** What a door hands over: orders in the order they were given, and why others are none any more. */
export interface SteeringSource {
  orders?: readonly SteeringCommand[] | undefined;
  dropped?: readonly string[] | undefined;
}

/** Nobody has said anything about money on the way: then the door's own option is the configuration's. */
const isNeedless = ({ verb, comment }: SteeringCommand, { journal }: SessionContext) =>
  verb === "budget" && comment === undefined && journal.state.steering.budgetUsd === undefined;

/** The journal holds no secret, whoever has written it into a comment. */
function redacted({ redact }: SessionContext, order: SteeringCommand): SteeringCommand {
  return order.verb === "hint" ? { ...order, text: redact(order.text) } : order;
}
