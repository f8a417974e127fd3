import type { JobData } from "../jobs/job.ts";

type EventKind =
  | "start"
  | "report"
  | "steer"
  | "explain"
  | "workflow"
  | "pull-closed"
  | "human-push"
  | "dashboard"
  | "welcome"
  | "recheck";

/** A job that an event leads to, still without its repository. */
export type JobDraft = {
  [Kind in EventKind]: { kind: Kind } & Omit<JobData[Kind], "place">;
}[EventKind];

/** A draft with its key: drafts of equal keys are one job (F42). */
export interface KeyedDraft {
  draft: JobDraft;
  /** `owner/name`, if the event itself names no repository. */
  repository?: string;
  key: readonly (string | number)[];
}
