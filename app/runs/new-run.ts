import { createWorkRequest, type WorkRequest } from "../../src/schema/work-request.ts";
import type { Place } from "../access/place.ts";
import type { DispatchedRun } from "./dispatched-run.ts";
import type { Start } from "./run-parts.ts";

type Fresh = { id: string; place: Place; start: Start; now: number };

/** The record of a new run, complete enough to retry it later. */
export const newRun = ({ id, place, start, now }: Fresh): DispatchedRun => ({
  ...{ id, place, request: start.request, state: "claimed" },
  ...start.resumes,
  ...{ started_at: now, changed_at: now },
});

/** A waiting run that starts now, so that it counts for this day. */
export function restarted({ words: _, day, ...run }: DispatchedRun, now: number): DispatchedRun {
  return {
    ...run,
    ...(day && { day: { ...day, began_at: now } }),
    started_at: now,
    changed_at: now,
  };
}

/** The start a run began with. */
export const startOf = ({ request, after }: DispatchedRun): Start => ({
  request,
  ...(after !== undefined && { resumes: { after } }),
});

type NewTrigger = Pick<WorkRequest, "trigger" | "actor" | "textDigest">;

/** A new request for the same work. */
export const requestAgain = (
  { command, item, issue, alternativeIssue }: WorkRequest,
  trigger: NewTrigger,
): WorkRequest => createWorkRequest({ command, item, issue, alternativeIssue, ...trigger });
