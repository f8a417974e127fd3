import { count, falling, flag, misshapen, oneOf, text, time, unless } from "./shapes.ts";
import type { Reader } from "./strict-reader.ts";

const ends = ["complete", "failed", "cancelled"];
const phases = ["starting", "executing", "verifying", "fixing", ...ends];

/** `ralph-state.json`: the contract of the state, with `stop_reason` beside it. */
export const readOmxState: Reader = (now, { same: before }) => {
  // A resumption is a new run: the reader may have missed that the file was gone.
  const isNext = before !== undefined && String(now.started_at) > String(before.completed_at);
  const same = isNext ? undefined : before;
  const isEnd = ends.includes(String(now.current_phase));
  const hadEnded = ends.includes(String(same?.current_phase));
  return [
    ...misshapen(now, {
      ...{ active: flag, iteration: count, max_iterations: count },
      ...{ current_phase: oneOf(...phases), started_at: time },
      ...("completed_at" in now && { completed_at: time }),
      ...("stop_reason" in now && { stop_reason: text }),
    }),
    ...unless(now.active !== isEnd, `active is ${now.active} in the phase ${now.current_phase}`),
    ...unless(isEnd === "completed_at" in now, "completed_at does not fit the phase"),
    ...unless(Number(now.iteration) <= Number(now.max_iterations), "iteration is over its limit"),
    ...unless(!hadEnded || same?.current_phase === now.current_phase, "leaves an end"),
    ...falling(now, same, ["iteration"]),
  ];
};
