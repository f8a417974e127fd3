import * as z from "zod";
import { errorAt } from "../../../schema/base/finding.ts";
import { checkBy } from "../../json-text.ts";
import { count, time } from "./index.ts";

/**
 * States as the tool's versions have written them: several lack `session_id`, `prd_mode` or `last_activity_at`
 * (compatibility 4). Only an active state needs more than its first key.
 */
const FoundRalph = z.looseObject({
  active: z.boolean(),
  iteration: count.nullish(),
  max_iterations: count.nullish(),
  started_at: time.nullish(),
  session_id: z.string().nullish(),
  current_story_id: z.string().nullish(),
  last_activity_at: time.nullish(),
  cancelled_at: time.nullish(),
  reason: z.string().nullish(),
});
export type FoundRalph = z.infer<typeof FoundRalph>;

export const checkFoundUltrawork = checkBy(
  z.looseObject({
    active: z.boolean(),
    started_at: time.nullish(),
    session_id: z.string().nullish(),
    last_checked_at: time.nullish(),
  }),
);

export const checkFoundVerification = checkBy(
  z.looseObject({
    pending: z.boolean(),
    verification_attempts: count.nullish(),
    max_verification_attempts: count.nullish(),
    session_id: z.string().nullish(),
  }),
);

const whileActive = ["iteration", "max_iterations", "started_at"] as const;

/** A loop's state with its findings; what describes its progress is required while it is active. */
export const checkFoundRalph = checkBy(FoundRalph, (state) =>
  whileActive
    .filter((key) => state.active && state[key] == null)
    .map((key) => errorAt([key], "is missing; an active loop needs it")),
);
