import type { GitHub } from "../../src/github/api/create-github.ts";
import type { Clock } from "../../src/platform/system.ts";
import { createWorkRequest, type WorkRequest } from "../../src/schema/work-request.ts";
import type { Access } from "../access/access.ts";
import type { Place } from "../access/place.ts";
import type { RecordEvent } from "../events/recorder.ts";
import type { Notes } from "../store/notes.ts";
import type { DispatchedRun } from "./dispatched-run.ts";

export interface RunParts {
  access: Access;
  notes: Notes;
  clock: Clock;
  /** Ids of bots that may start work. */
  bots: readonly number[];
  /** Address of the App's pages; claims name it. */
  url: string;
  /** Reports what happens to runs and repositories. */
  record: RecordEvent;
}

/** The App at work in one repository. */
export interface Site extends RunParts {
  place: Place;
  /** A client for this repository alone. */
  github: GitHub;
  /** The App's own account. */
  self: Awaited<ReturnType<Access["self"]>>;
}

/** Opens a repository for a few minutes of work; its token is valid for at least five. */
export async function openSite<Parts extends RunParts>(
  parts: Parts,
  place: Place,
): Promise<Parts & Site> {
  const github = await parts.access.github(place);
  return { ...parts, place, github, self: await parts.access.self(place) };
}

/** A run to start. */
export interface Start {
  request: WorkRequest;
  /** The label behind the request; it is removed. */
  label?: string | undefined;
  /** The session of an earlier run that this one continues. */
  resumes?: Pick<DispatchedRun, "after" | "pull" | "orders" | "day">;
}

/** A workflow may take six hours, and wait for a runner before that. */
export const workflowLeaseMs = 8 * 60 * 60_000;

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
