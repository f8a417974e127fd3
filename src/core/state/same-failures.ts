import type { FactOf } from "./event.ts";
import type { TaskState } from "./session-state.ts";

/** Other limits count these: rejections, iterations without a change, and claims of the merge queue. */
const ownLimit: ReadonlySet<FactOf<"iteration_failed">["because"]> = new Set([
  "review",
  "no_change",
  "merge",
]);

/** Equal for failures with the same output, apart from numbers, hashes and times in it. */
const outlineOf = ({ because, fingerprint, feedback }: FactOf<"iteration_failed">) =>
  [because, fingerprint, feedback.replace(/\b[0-9a-f]{7,}\b|\d+/gi, "#")].join("\n");

/** Failures in a row with the same output, this one included. */
export function sameFailuresAfter(
  { lastFailure: last, sameFailures }: Pick<TaskState, "lastFailure" | "sameFailures">,
  event: FactOf<"iteration_failed">,
): number {
  if (ownLimit.has(event.because)) return 0;
  const isAgain = last !== undefined && outlineOf(last) === outlineOf(event);
  return isAgain ? sameFailures + 1 : 1;
}
