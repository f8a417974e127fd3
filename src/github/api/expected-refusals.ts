import { RalphError } from "../../error.ts";
import { httpStatusOf, isRateLimited } from "./to-ralph-error.ts";

/** The answer to a request; undefined where GitHub refuses it with one of these statuses. */
export async function unlessStatus<Answer>(
  statuses: readonly number[],
  answer: Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (statuses.includes(httpStatusOf(error) ?? 0)) return undefined;
    throw error;
  }
}

/** Runs an optional action; a missing permission is one line of log, not a failure. */
export async function ignoreForbidden(
  { log }: { log: (line: string) => void },
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    const status = httpStatusOf(error);
    const isForbidden = (status === 403 && !isRateLimited(error)) || status === 404;
    if (!(error instanceof RalphError) || !isForbidden) throw error;
    log(`Skipped: ${error.message} ${error.remedy}`);
  }
}
