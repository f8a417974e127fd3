import type { Probot } from "probot";
import * as z from "zod";
import { Hopeless } from "../jobs/permanent-job-error.ts";
import type { Job } from "../store/queue.ts";
import type { Delivery } from "../webhooks/receive-delivery.ts";
import type { Handler } from "./worker.ts";

/** Hands a stored delivery to the Probot App. A payload that lacks what its rule needs will never have it. */
export const deliveryHandler =
  (probot: Pick<Probot, "receive">): Handler =>
  async ({ id, data }: Job) => {
    const { event: name, payload } = data as Delivery;
    try {
      await probot.receive({ id, name, payload } as Parameters<Probot["receive"]>[0]);
    } catch (error) {
      throw judge(error, name);
    }
  };

/** The one thing that went wrong, out of what the library wraps around it. */
function judge(error: unknown, name: string): unknown {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const cause = first instanceof Error && first.cause ? first.cause : first;
  if (!(cause instanceof z.ZodError)) return first;
  return new Hopeless(`the payload of ${name} is not as expected: ${z.prettifyError(cause)}`);
}
