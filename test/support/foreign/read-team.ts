import { count, falling, misshapen, orNull, text, time, unless } from "./shapes.ts";
import type { Json, Reader } from "./strict-reader.ts";

const teammate = {
  ...{ consecutive_failures: count, last_failure: orNull(text) },
  ...{ total_failures: count, total_successes: count },
};

/** A launch initializes the file. */
const isLaunch = ({ total_failures, total_successes }: Json) =>
  total_failures === 0 && total_successes === 0;

/** `failures.json`: totals never fall during an execution. */
export const readFailures: Reader = (now, { same }) =>
  Object.entries(now as Record<string, Json>).flatMap(([name, entry]) => [
    ...misshapen(entry, teammate),
    ...unless(
      Number(entry.consecutive_failures) <= Number(entry.total_failures),
      `${name} has more failures in a row than in all`,
    ),
    ...(isLaunch(entry)
      ? []
      : falling(entry, same?.[name] as Json | undefined, ["total_failures"])),
  ]);

export const readMetrics: Reader = (now) =>
  misshapen(now, {
    ...{ tasks_completed: count, tasks_failed: count, tasks_pending: count },
    ...{ gates_passed: count, gates_failed: count, last_updated: time },
  });
