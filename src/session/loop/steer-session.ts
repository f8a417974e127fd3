import type { Order } from "../../core/state/said-order.ts";
import { isHeard, whyRefused } from "../../core/state/steer.ts";
import { record, type Session } from "./session.ts";

/** Journals the orders of people that are new to a session; one that cannot be followed is a warning of its summary. */
export async function steerSession(
  session: Session,
  { orders = [], dropped = [] }: Orders,
): Promise<void> {
  for (const given of orders) {
    const { run } = session.journal;
    const order = redacted(session, given);
    if (isHeard(run, order) || isNeedless(order, session)) continue;
    const refused = whyRefused(run, order);
    await record(session, { type: "steered", order, ...(refused !== undefined && { refused }) });
  }
  for (const message of dropped) {
    if (session.journal.run.warnings.includes(message)) continue;
    await record(session, { type: "warning", message });
  }
}

/** What a door hands over: orders in the order they were given, and why others are none any more. */
export interface Orders {
  orders?: readonly Order[] | undefined;
  dropped?: readonly string[] | undefined;
}

/** Nobody has said anything about money on the way: then the door's own option is the configuration's. */
const isNeedless = ({ verb, comment }: Order, { journal }: Session) =>
  verb === "budget" && comment === undefined && journal.run.steering.budgetUsd === undefined;

/** The journal holds no secret, whoever has written it into a comment. */
function redacted({ redact }: Session, order: Order): Order {
  return order.verb === "hint" ? { ...order, text: redact(order.text) } : order;
}
