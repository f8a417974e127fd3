import { createWorkRequest, type WorkRequest } from "../../src/schema/work-request.ts";
import type { Place } from "../access/place.ts";
import type { DispatchedRun } from "./dispatched-run.ts";
import type { Start } from "./run-parts.ts";

type Fresh = { id: string; place: Place; start: Start; now: number };

/** The record of a run that begins, with all it takes to try again later. */
export const newRun = ({ id, place, start, now }: Fresh): DispatchedRun => ({
  ...{ id, place, request: start.request, state: "claimed" },
  ...start.resumes,
  ...{ started_at: now, changed_at: now },
});

/** The same run as it counts from now on: the day it starts is the day it counts for. */
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

type Asked = Pick<WorkRequest, "trigger" | "actor" | "textDigest">;

/** A new request for the same work. */
export const requestAgain = (
  { command, item, issue, alternativeIssue }: WorkRequest,
  asked: Asked,
): WorkRequest => createWorkRequest({ command, item, issue, alternativeIssue, ...asked });
