import type { EventName, RecordEvent } from "../events/recorder.ts";
import type { DispatchedRun } from "./dispatched-run.ts";
import { statusOf } from "./run-status.ts";

type RunEvent = Extract<EventName, `run-${string}` | "cancel-requested">;

/** Reports an event of a run: who asked, how it stands, and for its end also cost and time. */
export function recordRun(
  { record }: { record: RecordEvent },
  event: RunEvent,
  run: DispatchedRun,
): void {
  const { id, place, request, words, cost_usd: usd, started_at: from, changed_at: to } = run;
  const { kind, headline } = statusOf(run);
  record(event, {
    ...{ run: id, repository: place.id, name: place.repository, status: kind, headline },
    ...{ item: request.item, trigger: request.trigger, actor: request.actor?.login, reason: words },
    ...(event === "run-ended" && { usd, seconds: Math.round((to - from) / 1000) }),
  });
}
