import { RalphError } from "../../error.ts";
import { httpStatusOf, isRateLimited } from "./to-ralph-error.ts";

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
