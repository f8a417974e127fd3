import { RalphError } from "../../error.ts";
import { httpStatusOf, isRateLimited } from "./to-ralph-error.ts";

/** The answer to a request; undefined where it fails with an expected error. */
export async function unlessExpected<Answer>(
  isExpected: (error: unknown) => boolean,
  answer: Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}

/** The answer to a request; undefined where GitHub refuses it with one of these statuses. */
export const unlessStatus = <Answer>(
  statuses: readonly number[],
  answer: Promise<Answer>,
): Promise<Answer | undefined> =>
  unlessExpected((error) => statuses.includes(httpStatusOf(error) ?? 0), answer);

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
