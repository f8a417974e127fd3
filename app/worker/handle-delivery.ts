import type { Probot } from "probot";
import * as z from "zod";
import type { JobData } from "../jobs/job.ts";
import { PermanentJobError } from "../jobs/permanent-job-error.ts";

/** Passes a stored delivery to the Probot App. A payload that does not fit its rule fails permanently. */
export async function handleDelivery(
  { probot }: { probot: Pick<Probot, "receive"> },
  { id, data }: { id: string; data: JobData["delivery"] },
): Promise<void> {
  const { event: name, payload } = data;
  try {
    await probot.receive({ id, name, payload } as Parameters<Probot["receive"]>[0]);
  } catch (error) {
    throw causeOf(error, name);
  }
}

/** The original error behind the library's wrappers. */
function causeOf(error: unknown, name: string): unknown {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const cause = first instanceof Error && first.cause ? first.cause : first;
  if (!(cause instanceof z.ZodError)) return first;
  return new PermanentJobError(
    `the payload of ${name} is not as expected: ${z.prettifyError(cause)}`,
  );
}
