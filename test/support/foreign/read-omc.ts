import { count, falling, flag, misshapen, orNull, text, time, unless } from "./shapes.ts";
import type { Reader } from "./strict-reader.ts";

/** `.omc/ralph-state.json`; a loop that was cancelled has two further keys. */
export const readOmcState: Reader = (now, { same }) => {
  const isSame = same?.session_id === now.session_id;
  const changed = Object.keys(now).filter((key) => now[key] !== same?.[key]);
  return [
    ...misshapen(
      now,
      {
        ...{ active: flag, iteration: count, max_iterations: count, completion_promise: text },
        ...{ started_at: time, prompt: text, session_id: text, prd_mode: flag },
        ...{ current_story_id: orNull(text), last_activity_at: time },
      },
      ["cancelled_at", "reason"],
    ),
    ...unless(!("cancelled_at" in now) || now.active === false, "is cancelled and active"),
    ...unless(
      !isSame || changed.length === 0 || changed.includes("last_activity_at"),
      `${changed.join(", ")} changed without last_activity_at`,
    ),
    ...(isSame ? falling(now, same, ["iteration"]) : []),
  ];
};

/** `.omc/ralph-verification.json`: attempts, feedback and time change together. */
export const readVerification: Reader = (now) => {
  const attempts = Number(now.verification_attempts);
  const isNew = attempts === 0;
  return [
    ...misshapen(now, {
      ...{ pending: flag, original_task: text, completion_claim: text },
      ...{ verification_attempts: count, max_verification_attempts: count },
      ...{ oracle_feedback: orNull(text), last_attempt_at: orNull(time), session_id: text },
    }),
    ...unless(
      isNew === (now.last_attempt_at === null),
      "last_attempt_at does not fit the attempts",
    ),
    ...unless(!isNew || now.oracle_feedback === null, "has feedback before its first attempt"),
    ...unless(attempts <= Number(now.max_verification_attempts), "has more attempts than it may"),
  ];
};
