import { RalphError } from "../../error.ts";
import type { Clock } from "../../platform/system.ts";
import { httpStatusOf } from "./to-ralph-error.ts";

/** Pauses between looks for something that may have been made; what GitHub lists may lag behind what it did. */
const looksMs = [1000, 2000, 4000, 8000] as const;
const againMs = [1000, 4000] as const;

type Creation<Made> = {
  create: () => Promise<Made>;
  find: () => Promise<Made | undefined>;
  /** A refusal that may mean: it is there already. */
  meansExists?: (error: unknown) => boolean;
};

/**
 * Sends what creates something exactly once (V8). After an answer that leaves open whether it was made, it is looked for;
 * when it is not found the error goes on, and whoever tries again later begins with a look.
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

/** Looks for what may have happened, for a quarter of a minute; undefined: it has not. */
export async function lookFor<Found>(
  clock: Pick<Clock, "sleep">,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  for (const pauseMs of looksMs) {
    await clock.sleep(pauseMs);
    const found = await find();
    if (found) return found;
  }
  return undefined;
}

/** Sends what may be sent twice until its outcome is sure, three times at most. */
export async function sendAgain<Answer>(
  clock: Pick<Clock, "sleep">,
  send: () => Promise<Answer>,
): Promise<Answer> {
  for (const pauseMs of againMs) {
    try {
      return await send();
    } catch (error) {
      if (!isUnsure(error)) throw error;
      await clock.sleep(pauseMs);
    }
  }
  return send();
}

/** Whether a request may have had its effect although it failed: GitHub or the connection broke down. */
export function isUnsure(error: unknown): boolean {
  const status = error instanceof RalphError ? httpStatusOf(error) : undefined;
  return status !== undefined && (status >= 500 || status === 408);
}
