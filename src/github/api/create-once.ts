import { RalphError } from "../../error.ts";
import type { Clock } from "../../platform/system.ts";
import { httpStatusOf } from "./to-ralph-error.ts";

/** Pauses before each search for an object that may exist: GitHub's lists may lag behind its writes. */
const searchMs = [1000, 2000, 4000, 8000] as const;
const retryMs = [1000, 4000] as const;

type Creation<Made> = {
  create: () => Promise<Made>;
  find: () => Promise<Made | undefined>;
  /** Whether a refusal may mean that it already exists. */
  meansExists?: (error: unknown) => boolean;
};

/**
 * Sends a creating request exactly once (V8). When the answer leaves open whether it took effect, the object is searched
 * for; if it is not found the error is thrown, and a later attempt begins with a search.
 */
export async function createOnce<Made>(
  clock: Pick<Clock, "sleep">,
  { create, find, meansExists }: Creation<Made>,
): Promise<Made> {
  try {
    return await create();
  } catch (error) {
    if (!isUnsure(error) && !meansExists?.(error)) throw error;
    const found = await lookFor(clock, find);
    if (found) return found;
    throw error;
  }
}

/** Searches for up to 15 seconds; undefined when nothing was found. */
export async function lookFor<Found>(
  clock: Pick<Clock, "sleep">,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  for (const pauseMs of searchMs) {
    await clock.sleep(pauseMs);
    const found = await find();
    if (found) return found;
  }
  return undefined;
}

/** Sends a request that is safe to repeat three times at most: until its outcome is known, or no error is one to retry. */
export async function sendAgain<Answer>(
  clock: Pick<Clock, "sleep">,
  send: () => Promise<Answer>,
  isToRetry = isUnsure,
): Promise<Answer> {
  for (const pauseMs of retryMs) {
    try {
      return await send();
    } catch (error) {
      if (!isToRetry(error)) throw error;
      await clock.sleep(pauseMs);
    }
  }
  return send();
}

/** Whether a failed request may still have taken effect: GitHub or the connection broke down. */
export function isUnsure(error: unknown): boolean {
  const status = error instanceof RalphError ? httpStatusOf(error) : undefined;
  return status !== undefined && (status >= 500 || status === 408);
}
